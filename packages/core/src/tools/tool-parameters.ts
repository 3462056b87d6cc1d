import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

import type { JsonObject } from './json.js';

/** JSON Schema of a tool's arguments, in the strict form that model vendors take. */
export interface ToolParameters {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonObject>>;
  /** Every property; optional ones may be null. */
  readonly required: readonly string[];
  readonly additionalProperties: false;
  readonly description?: string;
  readonly $defs?: Readonly<Record<string, JsonObject>>;
}

/** Arguments as a tool's `run` takes them. */
export interface ParsedArguments {
  readonly args: unknown;
}

/** Checks what a model sent; `undefined` when it does not fit. */
export type ParseArguments = (
  sent: JsonObject,
) => ParsedArguments | undefined | Promise<ParsedArguments | undefined>;

/** A schema of any library that checks values and can give its JSON Schema (standardschema.dev). */
export interface ToolSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaV1.Props<Input, Output> &
    StandardJSONSchemaV1.Props<Input, Output>;
}
