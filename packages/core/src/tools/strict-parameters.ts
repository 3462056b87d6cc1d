import { type JsonObject, type JsonValue, isJsonObject } from './json.js';
import { acceptsNull, child, list, resolveReference } from './schema-alternatives.js';
import type { ToolParameters } from './tool-parameters.js';

/** Why a schema has no strict form: where, and what stands in its way. */
export class NoStrictForm extends Error {
  override readonly name: string = 'NoStrictForm';
}

/** What every vendor takes in a strict schema. The rest is left out here, and still checked when the tool runs. */
const kept: readonly string[] = [
  'description',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
];
const formats: ReadonlySet<unknown> = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);
const known: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'array',
  'object',
]);
/** They say what may be sent, so they cannot be left out. */
const refused: readonly string[] = ['allOf', 'patternProperties', 'prefixItems', '$dynamicRef'];

/**
 * The strict form of a schema of type `object`: no further properties anywhere, every property required, optional ones
 * nullable. It accepts what the schema accepts, with null for what is not given. Throws {@link NoStrictForm}.
 */
export function strictParameters(schema: JsonObject): ToolParameters {
  if (schema['type'] !== 'object') throw new NoStrictForm("its 'type' must be 'object'");
  for (const key of ['anyOf', 'oneOf', '$ref', 'enum', 'const', ...refused])
    if (key in schema) throw new NoStrictForm(`'${key}' has no place at the top`);
  const { description } = schema;
  const defs = Object.entries(isJsonObject(schema['$defs']) ? schema['$defs'] : {});
  return {
    ...(typeof description === 'string' ? { description } : {}),
    ...strictObject(schema, schema, ''),
    ...(defs.length === 0
      ? {}
      : {
          $defs: Object.fromEntries(
            defs.map(([name, def]) => [name, strict(def, schema, `$defs.${name}`)]),
          ),
        }),
  };
}

function strictObject(
  schema: JsonObject,
  root: JsonObject,
  at: string,
): Omit<ToolParameters, '$defs'> {
  const { properties = {}, additionalProperties = false } = schema;
  if (additionalProperties !== false || !isJsonObject(properties))
    throw new NoStrictForm(`${at || 'the top'} takes properties of any name`);
  const strictProperties = Object.entries(properties).map(
    ([key, property]): [string, JsonObject] => {
      const form = strict(property, root, at === '' ? key : `${at}.${key}`);
      const given = list(schema['required']).includes(key) || acceptsNull(property, root);
      return [key, given ? form : nullable(form)];
    },
  );
  return {
    type: 'object',
    properties: Object.fromEntries(strictProperties),
    required: strictProperties.map(([key]) => key),
    additionalProperties: false,
  };
}

function strict(schema: JsonValue | undefined, root: JsonObject, at: string): JsonObject {
  if (!isJsonObject(schema)) throw new NoStrictForm(`${at} takes any value; give it a type`);
  const barred = refused.find((key) => key in schema);
  if (barred !== undefined) throw new NoStrictForm(`${at} uses '${barred}'`);
  const rest = Object.fromEntries(kept.flatMap((key) => entry(schema, key)));
  const reference = schema['$ref'];
  if (reference !== undefined) {
    if (typeof reference === 'string' && resolveReference(reference, root))
      return { ...rest, $ref: reference };
    throw new NoStrictForm(`${at} refers to something other than '#' or '#/$defs/<name>'`);
  }
  const members = [...list(schema['anyOf']), ...list(schema['oneOf'])];
  if (members.length > 0)
    return { ...rest, anyOf: members.map((member) => strict(member, root, at)) };
  return { ...rest, ...strictValue(schema, root, at) };
}

/** The form of a schema that has a type of its own, or several. */
function strictValue(schema: JsonObject, root: JsonObject, at: string): JsonObject {
  const type = schema['type'] ?? typeOf(schema);
  const types = typeof type === 'string' ? [type] : list(type);
  if (types.length === 0) throw new NoStrictForm(`${at} takes any value; give it a type`);
  if (!types.every((one) => known.has(one)))
    throw new NoStrictForm(`${at} has a type that JSON Schema does not know`);
  const { pattern, format } = schema;
  const takesObjects = types.includes('object');
  if (takesObjects && schema['properties'] === undefined)
    throw new NoStrictForm(`${at} takes properties of any name`);
  return {
    // Vendors refuse patterns that look around.
    ...(typeof pattern === 'string' && !/\(\?[=!<]/.test(pattern) ? { pattern } : {}),
    ...(typeof format === 'string' && formats.has(format) ? { format } : {}),
    ...(types.includes('array') ? { items: strict(schema['items'], root, `${at}[]`) } : {}),
    ...(takesObjects ? strictObject(schema, root, at) : {}),
    type: types.length === 1 ? (types[0] ?? '') : types,
  };
}

/** The types of values that are listed one by one. */
function typeOf(schema: JsonObject): readonly string[] {
  const { const: value, enum: values } = schema;
  const listed = value === undefined ? list(values) : [value];
  const names = listed.map((one) => (one === null ? 'null' : typeof one));
  return names.includes('object') ? [] : [...new Set(names)];
}

function nullable(form: JsonObject): JsonObject {
  const { type, description, ...rest } = form;
  const said = description === undefined ? {} : { description };
  const isListed = 'enum' in form || 'const' in form;
  if (type !== undefined && !isListed)
    return { ...form, type: [...(typeof type === 'string' ? [type] : list(type)), 'null'] };
  const members = list(form['anyOf']);
  if (members.length > 0 && !isListed) return { ...form, anyOf: [...members, { type: 'null' }] };
  const bare = type === undefined ? rest : { ...rest, type };
  return { ...said, anyOf: [bare, { type: 'null' }] };
}

function entry(schema: JsonObject, key: string): readonly [string, JsonValue][] {
  const value = child(schema, key);
  // Some libraries write down that a number is a safe integer.
  const isSaid = value !== undefined && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER;
  return isSaid ? [[key, value]] : [];
}
