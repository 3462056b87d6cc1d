import { type JsonObject, type JsonValue, isJsonObject } from './json.js';

/** The schemas a value may fit: references followed, unions opened. `root` is what references point into. */
export function alternatives(
  schema: JsonValue | undefined,
  root: JsonObject,
  followed: readonly string[] = [],
): readonly JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    if (followed.includes(reference)) return [];
    return alternatives(resolveReference(reference, root), root, [...followed, reference]);
  }
  const members = [...list(schema['anyOf']), ...list(schema['oneOf'])];
  if (members.length === 0) return [schema];
  return members.flatMap((member) => alternatives(member, root, followed));
}

/** What `#` or `#/$defs/<name>` points to; other references are not followed. */
export function resolveReference(reference: string, root: JsonObject): JsonObject | undefined {
  if (reference === '#') return root;
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1];
  const found = name === undefined ? undefined : child(root['$defs'], unescaped(name));
  return isJsonObject(found) ? found : undefined;
}

/** Whether a schema takes null. */
export function acceptsNull(schema: JsonValue | undefined, root: JsonObject): boolean {
  return alternatives(schema, root).some(({ type, enum: values, const: value }) => {
    if (value !== undefined) return value === null;
    if (Array.isArray(values)) return values.includes(null);
    return type === undefined || type === 'null' || list(type).includes('null');
  });
}

/** A property of a value that may not be an object, or not have it. */
export function child(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function unescaped(name: string): string {
  return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
}
