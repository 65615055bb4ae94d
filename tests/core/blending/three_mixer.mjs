// What three.js makes of clips: node three_mixer.mjs FOLDER < clips.json > poses.json
// FOLDER holds node_modules/three. Input: {bones, clips: [{name, length, tracks: {bone: {times, q, t}}}],
// cases: [{time, weights: {clip: w}, additive: {clip, weight, reference: clip | null} | null}]}
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const THREE = await import(pathToFileURL(path.join(process.argv[2], 'node_modules/three/build/three.module.js')).href);
const input = JSON.parse(fs.readFileSync(0, 'utf8'));

function clipOf(data) {
  const tracks = [];
  for (const [bone, keys] of Object.entries(data.tracks)) {
    tracks.push(new THREE.QuaternionKeyframeTrack(`${bone}.quaternion`, keys.times, keys.q.flat()));
    tracks.push(new THREE.VectorKeyframeTrack(`${bone}.position`, keys.times, keys.t.flat()));
  }
  return new THREE.AnimationClip(data.name, data.length, tracks);
}

const out = input.cases.map((one) => {
  const root = new THREE.Object3D();
  const bones = input.bones.map((name) => { const b = new THREE.Object3D(); b.name = name; root.add(b); return b; });
  const mixer = new THREE.AnimationMixer(root);
  const byName = new Map(input.clips.map((c) => [c.name, c]));
  for (const [name, weight] of Object.entries(one.weights)) {
    const action = mixer.clipAction(clipOf(byName.get(name)));
    action.setEffectiveWeight(weight).play();
    action.time = one.time;
  }
  if (one.additive) {
    const reference = one.additive.reference ? clipOf(byName.get(one.additive.reference)) : undefined;
    const clip = clipOf(byName.get(one.additive.clip));
    THREE.AnimationUtils.makeClipAdditive(clip, 0, reference ?? clip, 30);
    const action = mixer.clipAction(clip);
    action.setEffectiveWeight(one.additive.weight).play();
    action.time = one.time;
  }
  mixer.update(0);
  return bones.map((b) => ({ q: b.quaternion.toArray(), t: b.position.toArray() }));
});
process.stdout.write(JSON.stringify(out));
