// Generates the methods of the Python client that are one operation of the API each.

import {
  isGenerated,
  isRequired,
  type OpenApi,
  type Operation,
  operationsIn,
  type Schema,
} from './operations.ts'

const HEAD = `# Generated from spec/openapi.json by server/test/write-generated-files.ts.
"""One method for each operation of the API."""

from typing import Any, Generic, Literal, Mapping, Optional, Sequence, TypeVar

from ._files import Target

Answer = TypeVar("Answer")
Nothing = TypeVar("Nothing")
#: The default of what is not sent. None is sent, as null.
ABSENT: Any = object()


class Operations(Generic[Answer, Nothing]):
    """What Client and AsyncClient have in common. Names and values are those of the API."""

    def _ask(self, method: str, path: str, ids: Any, query: Any, body: Any = None, key: Any = None) -> Answer:
        raise NotImplementedError

    def _act(self, method: str, path: str, ids: Any, query: Any, body: Any = None, key: Any = None) -> Nothing:
        raise NotImplementedError

    def _save(self, path: str, ids: Any, query: Any, into: Target) -> Nothing:
        raise NotImplementedError
`

/** The source of python/kitseal/_operations.py. */
export const pythonOperations = (api: OpenApi): string =>
  `${HEAD}\n${operationsIn(api).filter(isGenerated).map(methodOf).join('\n')}`

function methodOf({
  name: operationId,
  method,
  path,
  summary,
  ids,
  query,
  body,
  answer,
  isIdempotent,
}: Operation): string {
  const isFile = answer === 'file'
  const own = Object.entries(body?.properties ?? {}).filter(([name]) => !ids.some((id) => id.name === name))
  const named = [
    ...(isFile ? ['into: Target'] : []),
    ...query.filter((one) => one.required !== true).map((one) => argument(one.name, one.schema, false)),
    ...own
      .toSorted(([a], [b]) => Number(isRequired(body, b)) - Number(isRequired(body, a)))
      .map(([name, schema]) => argument(name, schema, isRequired(body, name))),
    ...(isIdempotent ? ['idempotency_key: Optional[str] = None'] : []),
  ]
  const given = [
    'self',
    ...ids.map((one) => argument(one.name, one.schema, true)),
    ...query.filter((one) => one.required === true).map((one) => argument(one.name, one.schema, true)),
    ...(body !== undefined && body.properties === undefined ? ['body: Mapping[str, Any]'] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
  ]
  const isJson = answer === 'json'
  const call = isFile ? '_save' : isJson ? '_ask' : '_act'
  const sent = [
    ...(isFile ? [] : [`"${method}"`]),
    `"${path}"`,
    dict(ids.map(({ name }) => name)),
    dict(query.map(({ name }) => name)),
    ...(isFile ? ['into'] : []),
    ...(body !== undefined
      ? [body.properties === undefined ? 'dict(body)' : dict(Object.keys(body.properties))]
      : isIdempotent
        ? ['None']
        : []),
    ...(isIdempotent ? ['idempotency_key or ""'] : []),
  ]
  return [
    `    def ${snakeCase(operationId)}(${folded(given, '    ')}) -> ${isJson ? 'Answer' : 'Nothing'}:`,
    `        """${summary.replaceAll('\\', '\\\\').replaceAll('"', "'")}${/[.?!]$/.test(summary) ? '' : '.'}"""`,
    `        return self.${call}(${folded(sent, '        ')})\n`,
  ].join('\n')
}

/** A parameter that may not be named so in Python has an underscore. */
const pythonName = (name: string): string =>
  /^(from|in|is|not|with|as|class)$/.test(name) ? `${name}_` : name

const argument = (name: string, schema: Schema, required: boolean): string =>
  `${pythonName(name)}: ${typeOf(schema)}${required ? '' : ' = ABSENT'}`

const dict = (names: readonly string[]): string =>
  `{${names.map((name) => `"${name}": ${pythonName(name)}`).join(', ')}}`

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function typeOf(schema: Schema): string {
  const { $ref, enum: values, anyOf } = schema
  if ($ref !== undefined) return 'Mapping[str, Any]'
  if (schema.const !== undefined) return `Literal[${JSON.stringify(schema.const)}]`
  if (values !== undefined && values.every((value) => typeof value === 'string'))
    return `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const kinds = [
    ...(anyOf ?? []).map((one) => (one.type === 'null' ? 'None' : typeOf(one))),
    ...types.map((type) => plainType(type, schema)),
  ]
  const [only = 'Any', ...others] = new Set(kinds.filter((kind) => kind !== 'None'))
  if (others.length > 0) return 'Any'
  return kinds.includes('None') ? `Optional[${only}]` : only
}

function plainType(type: string, { items = {} }: Schema): string {
  if (type === 'array') return `Sequence[${typeOf(items)}]`
  const names = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }
  return names[type as keyof typeof names] ?? 'Mapping[str, Any]'
}

const WIDTH = 116

/** A long list is broken into lines. */
function folded(parts: readonly string[], indent: string): string {
  const text = parts.join(', ')
  if (text.length < WIDTH - 40) return text
  const lines: string[] = []
  for (const word of text.split(/(?<=,) /)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length > WIDTH) lines.push(`${indent}    ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return `\n${lines.join('\n')},\n${indent}`
}
