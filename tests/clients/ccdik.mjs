// three.js's CCDIKSolver on straight chains: JSON in, joints out.
// in:  { length, iterations, cases: [{ rotations: [[x, y, z, w] …], goal: [x, y, z] }] }
// out: [[[x, y, z] …] …], the joints of each chain, its end last
import { pathToFileURL } from "node:url";
import path from "node:path";

const folder = process.argv[2]; // holds node_modules
const three = path.join(folder, "node_modules/three/build/three.module.js"); // the one the solver imports
const THREE = await import(pathToFileURL(three).href);
const solver = path.join(folder, "node_modules/three/examples/jsm/animation/CCDIKSolver.js");
const { CCDIKSolver } = await import(pathToFileURL(solver).href);

let text = "";
for await (const piece of process.stdin) text += piece;
const asked = JSON.parse(text);

const answer = asked.cases.map(({ rotations, goal }) => {
  const bones = [...rotations, [0, 0, 0, 1]].map((q, i) => {
    const bone = new THREE.Bone();
    bone.position.set(0, i ? asked.length : 0, 0);
    bone.quaternion.set(...q);
    return bone;
  });
  for (let i = 1; i < bones.length; i++) bones[i - 1].add(bones[i]);
  const target = new THREE.Bone();
  target.position.set(...goal);
  const root = new THREE.Group();
  root.add(bones[0], target);
  const mesh = new THREE.SkinnedMesh(new THREE.BufferGeometry());
  mesh.add(root);
  mesh.updateMatrixWorld(true);
  mesh.bind(new THREE.Skeleton([...bones, target]));
  const effector = bones.length - 1;
  const links = bones.slice(0, -1).map((_, i) => ({ index: effector - 1 - i }));
  const iks = [{ target: bones.length, effector, links, iteration: asked.iterations }];
  new CCDIKSolver(mesh, iks).update();
  mesh.updateMatrixWorld(true);
  return bones.map((bone) => new THREE.Vector3().setFromMatrixPosition(bone.matrixWorld).toArray());
});
process.stdout.write(JSON.stringify(answer));
