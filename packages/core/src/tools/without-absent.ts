import { type JsonObject, type JsonValue, isJsonObject } from './json.js';
import { acceptsNull, alternatives, child, list } from './schema-alternatives.js';

/**
 * What a model sent, without the nulls that stand for "not given": those of properties that `schema` does not require and
 * that could not be null otherwise.
 */
export function withoutAbsent(sent: JsonObject, schema: JsonObject): JsonObject {
  const value = present(sent, [schema], schema);
  return isJsonObject(value) ? value : sent;
}

function present(
  value: JsonValue,
  schemas: readonly (JsonValue | undefined)[],
  root: JsonObject,
): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  // Each schema once: in a recursive one they would double with every level of what a model sends.
  const open = [...new Set(schemas.flatMap((schema) => alternatives(schema, root)))];
  if (!isJsonObject(value)) {
    const items = open.map((schema) => schema['items']);
    return list(value).map((item) => present(item, items, root));
  }
  const kept = Object.entries(value).flatMap(([key, item]): [string, JsonValue][] => {
    const owners = open.filter((schema) => child(schema['properties'], key) !== undefined);
    const properties = owners.map((owner) => child(owner['properties'], key));
    const optional = owners.some((owner) => !list(owner['required']).includes(key));
    const absent =
      item === null && optional && !properties.some((property) => acceptsNull(property, root));
    return absent ? [] : [[key, present(item, properties, root)]];
  });
  return Object.fromEntries(kept);
}
