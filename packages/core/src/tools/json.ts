/** A value that JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** An object that JSON can carry. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether a value that JSON can carry is an object. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text. Throws a `SyntaxError` when it is none. */
export function parseJson(text: string): JsonValue {
  // What `JSON.parse` gives without a reviver is a JSON value and nothing else.
  const value: JsonValue = JSON.parse(text);
  return value;
}

/**
 * What JSON keeps of a value: a bigint becomes a string, a map an object, a set and a typed array an array.
 * `undefined` where nothing is left. Throws on what has no end and on what throws when it is read.
 */
export function toJson(value: unknown): JsonValue | undefined {
  // The types say a string always comes, but a function or a symbol gives none.
  const text: string | undefined = JSON.stringify(value, plain);
  return text === undefined ? undefined : parseJson(text);
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if (ArrayBuffer.isView(value)) return Object.values(value);
  return value;
}
