// What three.js' mixer makes of a run: node three_graph.mjs FOLDER < run.json > poses.json
// FOLDER holds node_modules/three. Input: {bones, clips: [{name, length, tracks: {bone: {times, q, t}}}],
// start: {clip: weight}, steps: [{dt, fade: {from, to, seconds} | null, weights: {clip: w} | null}], additive: clip | null}
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const THREE = await import(pathToFileURL(path.join(process.argv[2], 'node_modules/three/build/three.module.js')).href);
const input = JSON.parse(fs.readFileSync(0, 'utf8'));

const root = new THREE.Object3D();
const bones = input.bones.map((name) => { const b = new THREE.Object3D(); b.name = name; root.add(b); return b; });
const mixer = new THREE.AnimationMixer(root);
const actions = new Map();
for (const data of input.clips) {
  const tracks = [];
  for (const [bone, keys] of Object.entries(data.tracks)) {
    tracks.push(new THREE.QuaternionKeyframeTrack(`${bone}.quaternion`, keys.times, keys.q.flat()));
    tracks.push(new THREE.VectorKeyframeTrack(`${bone}.position`, keys.times, keys.t.flat()));
  }
  const clip = new THREE.AnimationClip(data.name, data.length, tracks);
  if (data.name === input.additive) THREE.AnimationUtils.makeClipAdditive(clip, 0, clip, 30);
  actions.set(data.name, mixer.clipAction(clip));
}
for (const [name, weight] of Object.entries(input.start)) actions.get(name).setEffectiveWeight(weight).play();
const out = input.steps.map((step) => {
  for (const [name, weight] of Object.entries(step.weights ?? {})) actions.get(name).setEffectiveWeight(weight);
  if (step.fade) {
    const to = actions.get(step.fade.to);
    to.reset().setEffectiveWeight(1).play();
    actions.get(step.fade.from).crossFadeTo(to, step.fade.seconds, false);
  }
  mixer.update(step.dt);
  return bones.map((b) => ({ q: b.quaternion.toArray(), t: b.position.toArray() }));
});
process.stdout.write(JSON.stringify(out));
