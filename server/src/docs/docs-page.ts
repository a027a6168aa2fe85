import { REFUSALS } from '../refusals.ts'
import { example } from './docs-examples.ts'
import type { Answer, Described, Operation, Schema, Shown } from './openapi-document.ts'
import { html, type Html, joined, raw } from './html.ts'

/** One page with the whole interface in it: no script, one stylesheet. */
export function docsPage(api: Described): string {
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, said]): Shown => ({ path, method: method.toUpperCase(), said })),
  )
  const groups = (api.tags ?? []).map(({ name, description = '' }): Group => ({
    name,
    description,
    operations: operations.filter(({ said }) => said.tags?.includes(name)),
  }))
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${api.info.title} API, ${api.info.version}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/docs/docs.css" />
      </head>
      <body>
        <a class="skip" href="#top">Skip to the content</a>
        <nav aria-label="Contents">
          <a class="brand" href="/">${api.info.title}</a>
          <div class="beside">${contents(groups)}</div>
          <details>
            <summary>Contents</summary>
            ${contents(groups)}
          </details>
        </nav>
        <main id="top" tabindex="-1">
          <h1>${api.info.title} <small>${api.info.version}</small></h1>
          ${paragraphs(api.info.description)}
          <p>
            In the commands below, <code>$BASE</code> is the address of this service,
            <code>$KITSEAL_API_KEY</code> a key of your workspace, and other names in capitals are ids of your
            own.
          </p>
          <p class="boundary">${api['x-service-boundary'] ?? ''}</p>
          ${joined(
            groups,
            (group) =>
              html`<h2>${group.name}</h2>
                <p>${group.description}</p>
                ${joined(group.operations, operationCard)}`,
          )}
          <h2 id="schemas">Schemas</h2>
          <p>Each is also served as JSON Schema, at <code>/schemas/NAME.json</code>.</p>
          ${joined(Object.entries(api.components.schemas), schemaCard)}
          <h2 id="codes">Error codes</h2>
          ${table(codeRows())}
        </main>
      </body>
    </html>`
  return page.text
}

interface Group {
  readonly name: string
  readonly description: string
  readonly operations: readonly Shown[]
}

/** Beside the text where there is room for both, closed above it where there is not: the style shows one of them. */
const contents = (groups: readonly Group[]): Html =>
  html`${joined(
      groups,
      (group) =>
        html`<h2>${group.name}</h2>
          ${joined(group.operations, navLine)}`,
    )}
    <h2>Reference</h2>
    <a href="#schemas">Schemas</a> <a href="#codes">Error codes</a> <a href="/openapi.json">openapi.json</a>`

const navLine = ({ method, path, said }: Shown): Html =>
  html`<a href="#${said.operationId}"><b class="${method}">${method}</b> ${said.summary ?? path}</a>`

function operationCard(operation: Shown): Html {
  const { method, path, said } = operation
  const request = requestRows(said)
  return html`<section id="${said.operationId}">
    <h3><b class="${method}">${method}</b> <code>${path}</code></h3>
    <p><strong>${said.summary ?? ''}.</strong> ${prose(said.description ?? '')}</p>
    ${
      request.length === 0
        ? raw('')
        : html`<h4>Request</h4>
            ${table(request)}`
    }
    <h4>Answers</h4>
    ${table(Object.entries(said.responses).map(answerRow))}
    <pre>${example(operation)}</pre>
  </section>`
}

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

function answerRow([status, answer]: readonly [string, Answer]): Row {
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

function typeOf(schema: Schema): Html {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`
  if (schema.enum !== undefined) return html`${schema.enum.join(' | ')}`
  if (schema.pattern === '^[0-9a-f]{64}$') return html`SHA-256, hex`
  return html`${schema.format ?? [schema.type ?? 'object'].flat().join(' or ')}`
}

const codeRows = (): readonly Row[] =>
  Object.entries(REFUSALS).map(([code, [status, meaning]]) => [code, html`${status}`, prose(meaning)])

const paragraphs = (text = ''): Html =>
  joined(text.split('\n\n'), (paragraph) => html`<p>${prose(paragraph)}</p>`)

/** Text in which \`code\` stands between backticks. */
const prose = (text: string): Html =>
  joined([...text.split('`').entries()], ([index, part]) =>
    index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`,
  )
