import { invalidTool } from './invalid-tool.js';
import { parseWithSchema, prepareSchema } from './json-schema-arguments.js';
import { type JsonObject, isJsonObject, toJson } from './json.js';
import { NoStrictForm, strictParameters } from './strict-parameters.js';
import type { ParseArguments, ToolParameters, ToolSchema } from './tool-parameters.js';
import { withoutAbsent } from './without-absent.js';

const allowed = 'an object schema of a library that gives its JSON Schema, or a JSON Schema';

/** What a tool's schema gives: its strict JSON Schema for the model, and the check of what the model sends. */
export function readParameters(
  given: object,
  subject: string,
): { readonly parameters: ToolParameters; readonly parse: ParseArguments } {
  const schema = jsonSchemaOf(given, subject);
  const parameters = strictly(schema, subject);
  if (isToolSchema(given)) return { parameters, parse: parseWithLibrary(given, schema) };
  prepareSchema(schema);
  return {
    parameters,
    parse: (sent) => parseWithSchema(schema, withoutAbsent(sent, schema)),
  };
}

function parseWithLibrary(library: ToolSchema, schema: JsonObject): ParseArguments {
  return async (sent) => {
    const checked = await library['~standard'].validate(withoutAbsent(sent, schema));
    return checked.issues ? undefined : { args: checked.value };
  };
}

function jsonSchemaOf(given: unknown, subject: string): JsonObject {
  const schema = attempt(() =>
    isToolSchema(given)
      ? toJson(given['~standard'].jsonSchema.input({ target: 'draft-2020-12' }))
      : toJson(given),
  );
  const isOther = typeof given === 'function' || (isObject(given) && '~standard' in given);
  if (!isJsonObject(schema) || (isOther && !isToolSchema(given)))
    throw invalidTool(subject, 'parameters', allowed);
  return schema;
}

function strictly(schema: JsonObject, subject: string): ToolParameters {
  try {
    return strictParameters(schema);
  } catch (error) {
    if (!(error instanceof NoStrictForm)) throw error;
    throw invalidTool(subject, 'parameters', `a schema with a strict form; ${error.message}`);
  }
}

function isToolSchema(value: unknown): value is ToolSchema {
  const standard: unknown = isObject(value) ? Reflect.get(value, '~standard') : undefined;
  if (!isObject(standard)) return false;
  const json: unknown = Reflect.get(standard, 'jsonSchema');
  return (
    typeof Reflect.get(standard, 'validate') === 'function' &&
    isObject(json) &&
    typeof Reflect.get(json, 'input') === 'function'
  );
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
