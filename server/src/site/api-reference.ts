import { REFUSALS } from '../refusals.ts'
import { example } from './curl-examples.ts'
import type { Answer, Described, Operation, Schema, Shown } from './openapi-document.ts'
import { html, type Html, joined, raw } from './html.ts'
import type { SearchEntry } from './search-docs.ts'

/** Every endpoint, schema and error code of the API description. */
export const apiReference = (api: Described): Html =>
  html`<div class="api">
    ${paragraphs(api.info.description)}
    <p>
      In the commands below, <code>$BASE</code> is the URL of this service, <code>$KITSEAL_API_KEY</code> is
      an API key of your workspace, and other names in capitals are IDs of your own.
    </p>
    <p class="boundary">${api['x-service-boundary'] ?? ''}</p>
    ${joined(
      groupsOf(api),
      (group) =>
        html`<h2>${group.name}</h2>
          <p>${group.description}</p>
          ${joined(group.operations, (operation) => operationCard(operation, api))}`,
    )}
    <h2 id="schemas">Schemas</h2>
    <p>Each is also served as JSON Schema at <code>/schemas/NAME.json</code>.</p>
    ${joined(Object.entries(api.components.schemas), schemaCard)}
    <h2 id="codes">Error codes</h2>
    ${table(codeRows())}
  </div>`

/** What search finds in the API reference. */
export const apiEntries = (api: Described, url: string): readonly SearchEntry[] =>
  groupsOf(api).flatMap(({ operations }) =>
    operations.map(({ method, path, said }) => ({
      url: `${url}#${said.operationId}`,
      page: 'API',
      heading: said.summary ?? path,
      text: `${method} ${path} ${said.description ?? ''}`,
      about: '',
    })),
  )

/** Every operation with its summary. The rest is in /openapi.json. */
export const apiMarkdown = (api: Described): string =>
  groupsOf(api)
    .map(({ name, description, operations }) => {
      const lines = operations.map(
        ({ method, path, said }) => `- \`${method} ${path}\`: ${said.summary ?? ''}`,
      )
      return `## ${name}\n\n${description}\n\n${lines.join('\n')}\n`
    })
    .join('\n')

function groupsOf(api: Described): readonly Group[] {
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, said]): Shown => ({ path, method: method.toUpperCase(), said })),
  )
  return (api.tags ?? []).map(({ name, description = '' }) => ({
    name,
    description,
    operations: operations.filter(({ said }) => said.tags?.includes(name)),
  }))
}

interface Group {
  readonly name: string
  readonly description: string
  readonly operations: readonly Shown[]
}

export const apiContents = (api: Described): Html =>
  html`${joined(
      groupsOf(api),
      (group) =>
        html`<h3>${group.name}</h3>
          ${joined(group.operations, navLine)}`,
    )}
    <h3>Definitions</h3>
    <a href="#schemas">Schemas</a> <a href="#codes">Error codes</a> <a href="/openapi.json">openapi.json</a>`

const navLine = ({ method, path, said }: Shown): Html =>
  html`<a href="#${said.operationId}"><b class="${method}">${method}</b> ${said.summary ?? path}</a>`

function operationCard(operation: Shown, { components }: Described): Html {
  const { method, path, said } = operation
  const request = requestRows(said)
  return html`<section id="${said.operationId}">
    <h3><b class="${method}">${method}</b> <code>${path}</code></h3>
    <p><strong>${said.summary ?? ''}.</strong> ${prose(said.description ?? '')}</p>
    ${accessLine(said)}
    ${
      request.length === 0
        ? raw('')
        : html`<h4>Request</h4>
            ${table(request)}`
    }
    <h4>Responses</h4>
    ${table(
      Object.entries(said.responses).map(([status, answer]) =>
        answerRow(status, components.responses[nameOf(answer)] ?? answer),
      ),
    )}
    <pre>${example(operation)}</pre>
  </section>`
}

/** Public endpoints need no key. A key that is sent needs the scope there too. */
const accessLine = ({ 'x-scope': scope = 'none', 'x-role': role = '' }: Operation): Html =>
  scope === 'none'
    ? raw('')
    : html`<p>Scope of the API key: <code>${scope}</code>. Role of a member: <code>${role}</code>.</p>`

type Row = readonly [name: string, kind: Html, meaning: Html]

const table = (rows: readonly Row[]): Html =>
  html`<table>
    ${joined(
      rows,
      ([name, kind, meaning]) =>
        html`<tr>
          <th><code>${name}</code></th>
          <td>${kind}</td>
          <td>${meaning}</td>
        </tr>`,
    )}
  </table>`

function requestRows(said: Operation): readonly Row[] {
  const parameters = (said.parameters ?? []).map((p): Row => [
    p.name,
    html`${p.in}${p.required === true ? ', required' : ''}`,
    prose(p.description ?? ''),
  ])
  const bodies = Object.entries(said.requestBody?.content ?? {}).flatMap(([mediaType, { schema = {} }]) => {
    const shape = schema.properties === undefined ? typeOf(schema) : html``
    const row: Row = [mediaType, html`body, required`, shape]
    return [row].concat(propertyRows(schema, ''))
  })
  return [...parameters, ...bodies]
}

function answerRow(status: string, answer: Answer): Row {
  const [[mediaType, content] = ['', undefined]] = Object.entries(answer.content ?? {})
  const shape = content?.schema?.$ref === undefined ? html`${mediaType}` : typeOf(content.schema)
  return [status, shape, prose(answer.description ?? '')]
}

const schemaCard = ([name, schema]: readonly [string, Schema]): Html =>
  html`<section id="schema-${name}">
    <h3>${name}</h3>
    <p>${prose(schema.description ?? '')}</p>
    ${table(propertyRows(schema, ''))}
  </section>`

function propertyRows(schema: Schema, prefix: string): readonly Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]): readonly Row[] => {
    const optional = schema.required?.includes(name) === true ? '' : ', optional'
    const row: Row = [prefix + name, html`${typeOf(property)}${optional}`, prose(property.description ?? '')]
    return [row].concat(propertyRows(property.items ?? {}, `${prefix}${name}[].`))
  })
}

const nameOf = ({ $ref = '' }: { readonly $ref?: string }): string => $ref.split('/').at(-1) ?? ''

function typeOf(schema: Schema): Html {
  const name = nameOf(schema)
  if (name !== '') return html`<a href="#schema-${name}">${name}</a>`
  if (schema.items?.$ref !== undefined) return html`array of ${typeOf(schema.items)}`
  if (schema.enum !== undefined) return html`${schema.enum.join(' | ')}`
  if (schema.pattern === '^[0-9a-f]{64}$') return html`SHA-256, hex`
  return html`${schema.format ?? [schema.type ?? 'object'].flat().join(' or ')}`
}

const codeRows = (): readonly Row[] =>
  Object.entries(REFUSALS).map(([code, [status, meaning]]) => [code, html`${status}`, prose(meaning)])

const paragraphs = (text = ''): Html =>
  joined(text.split('\n\n'), (paragraph) => html`<p>${prose(paragraph)}</p>`)

/** Text with `code` in backticks. */
const prose = (text: string): Html =>
  joined([...text.split('`').entries()], ([index, part]) =>
    index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`,
  )
