import { verdictHeading } from '@kitseal/kit/internal'
import type { SigningKeyRow } from '../keys/signing-key-queries.ts'
import { card, code, html, type Html, type Say, type StaticPage, table } from './static-page.ts'

export interface HomePageData {
  issuer(): string
  readonly signingKeys: { list(): Promise<readonly SigningKeyRow[]> }
}

/** `/`: what a kit is, what it proves, and the signing keys of this service. */
export const homePage = ({ issuer, signingKeys }: HomePageData): StaticPage => ({
  title: () => '',
  body: async (say) =>
    html` <div class="hero">
        <h1>${say('home.heading')}</h1>
        <p class="lead">${say('home.lead')}</p>
        <div class="row">
          <a class="button main" href="/verify">${say('home.verifyAction')}</a>
          <a class="button plain" href="/console">${say('home.consoleAction')}</a>
        </div>
      </div>
      <ol class="steps">
        ${[0, 1, 2].map(
          (step) =>
            html`<li>
              <h2>${step + 1}. ${say(`home.steps.${step}.title`)}</h2>
              <p>${say(`home.steps.${step}.text`)}</p>
            </li>`,
        )}
      </ol>
      <div class="pair">
        ${claims(
          say('home.proves'),
          [0, 1, 2, 3, 4].map((line) => say(`home.provesList.${line}`)),
        )}
        ${claims(
          say('home.provesNot'),
          [0, 1, 2, 3].map((line) => say(`home.provesNotList.${line}`)),
        )}
      </div>
      ${keys(say, issuer(), await signingKeys.list())}
      <div class="pair">
        ${card(
          say('home.offline.title'),
          html`<p>${say('home.offline.text')}</p>`,
          html`<p class="command">${code(say('home.offline.command', { origin: issuer() }))}</p>`,
          html`<p class="quiet">${say('home.offline.more')}</p>`,
        )}
        ${card(
          say('home.links.title'),
          html`<ul class="plain">
            ${LINKS.map(([href, key]) => html`<li><a href="${href}">${say(key)}</a></li>`)}
          </ul>`,
        )}
      </div>`,
})

const LINKS = [
  ['/docs', 'home.links.docs'],
  ['/openapi.json', 'home.links.openapi'],
  ['/.well-known/jwks.json', 'home.keys.file'],
  ['/log', 'home.links.log'],
] as const

const claims = (title: string, lines: readonly string[]): Html =>
  card(
    title,
    html`<ul>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`,
  )

function keys(say: Say, issuer: string, rows: readonly SigningKeyRow[]): Html {
  const title = say('home.keys.title')
  const lead = html`<p class="quiet">${say('home.keys.lead')}</p>`
  if (rows.length === 0) return card(title, lead, html`<p>${say('home.keys.none')}</p>`)
  return card(
    title,
    lead,
    table(
      [say('home.keys.kid'), say('home.keys.since'), say('home.keys.status')],
      rows.map((row) => [code(row.kid), row.created_at.slice(0, 10), statusOf(say, row)]),
    ),
    html`<p class="quiet">${say('home.keys.issuer') + say('common.colon')}${code(issuer)}</p>`,
  )
}

function statusOf(say: Say, { state, retired_at, revoked_at }: SigningKeyRow): string {
  if (revoked_at !== null) {
    const revoked = { verdict: 'key_revoked', signer: { revoked_at } } as const
    return say('home.keys.statuses.revoked', { heading: verdictHeading(revoked, say) })
  }
  if (state === 'active') return say('home.keys.statuses.active')
  return say('home.keys.statuses.retired', { until: retired_at?.slice(0, 10) ?? '' })
}

/** The page for an unknown path. */
export const NOT_FOUND: StaticPage = {
  title: (say) => say('notFound.title'),
  status: 404,
  body: (say) =>
    html`<div class="heading">
        <div>
          <h1>${say('notFound.title')}</h1>
          <p class="lead">${say('notFound.text')}</p>
        </div>
      </div>
      <a href="/">${say('notFound.action')}</a>`,
}
