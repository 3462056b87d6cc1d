// A loader for the document check: what core reads out of one file.
import { KnowledgeError, readDocument } from '@cuecard/core';

export async function load(path) {
  try {
    const { title, blocks, warnings } = await readDocument(path);
    const empty = blocks.every(({ parts }) => parts.length === 0);
    // A bake says this too; a document read alone does not.
    return {
      text: toText(title, blocks),
      warnings: empty ? [...warnings, 'holds no text'] : warnings,
    };
  } catch (error) {
    if (error instanceof KnowledgeError) return { error: error.message };
    throw error;
  }
}

/** Title, each heading once where it opens, and every part, a line each. */
function toText(title, blocks) {
  const lines = title ? [title] : [];
  let open = [];
  for (const { heading, question, parts } of blocks) {
    const same = heading.findIndex((step, at) => step !== open[at]);
    if (same >= 0) lines.push(...heading.slice(same));
    open = heading;
    if (question) lines.push(question);
    lines.push(...parts.map((part) => part.text));
  }
  return lines.join('\n');
}
