import type { Schema, Validator } from '@cfworker/json-schema';

import type { JsonObject } from './json.js';
import type { ParsedArguments } from './tool-parameters.js';

const validators = new WeakMap<object, Promise<Validator>>();

/** Arguments checked against a JSON Schema (draft 2020-12); `undefined` when they do not fit. */
export async function parseWithSchema(
  schema: object,
  sent: JsonObject,
): Promise<ParsedArguments | undefined> {
  const validator = await validatorOf(schema);
  return validator.validate(sent).valid ? { args: sent } : undefined;
}

/** Loads the validator, so that the first call does not wait for it. */
export function prepareSchema(schema: object): void {
  validatorOf(schema).catch(() => undefined);
}

async function validatorOf(schema: object): Promise<Validator> {
  const known = validators.get(schema);
  if (known) return known;
  const made = makeValidator(schema);
  validators.set(schema, made);
  made.catch(() => validators.delete(schema));
  return made;
}

async function makeValidator(schema: object): Promise<Validator> {
  const library = await import('@cfworker/json-schema');
  // A copy: the library writes addresses into its schema.
  const copy: Schema = JSON.parse(JSON.stringify(schema));
  return new library.Validator(copy, '2020-12');
}
