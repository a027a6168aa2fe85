import verifier from '../../../texts/verifier.generated.ts'
import { english as said, fill, INVISIBLE, type Language, translatePhrase } from '@kitseal/kit/internal'
import { type MailData, type TemplateName, TEMPLATES } from './mail-templates.ts'
import { words as english } from './mail-texts/en.ts'
import { MAIL_TEXTS } from './mail-texts/index.ts'

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface MailOptions {
  readonly language?: Language
  /** Shown at the end of mail to people who are not members of the workspace. */
  readonly unsubscribeUrl?: string | undefined
}

/** Fills a template, as plain text and as HTML. Values are text: markup and line breaks in them have no effect. */
export function renderMail<T extends TemplateName>(
  name: T,
  data: MailData[T],
  { language = 'en', unsubscribeUrl }: MailOptions = {},
): RenderedMail {
  const { templates, words } = MAIL_TEXTS[language]
  const template = templates[name]
  const values = inLanguage(data, language)
  const boundary = TEMPLATES[name].boundary
    ? [verifier[language]?.['kit.boundary'] ?? said('kit.boundary')]
    : []
  const link = values['link'] ?? ''
  const before = paragraphs(template.before, values)
  const after = paragraphs(template.after, values)
  const footer = [
    ...boundary,
    ...(unsubscribeUrl === undefined
      ? []
      : [fill(filled(words.unsubscribeText, { ...values, url: '{url}' }), { url: unsubscribeUrl })]),
  ]
  const action = link === '' ? [] : [`${template.action}:\n${link}`]
  const text = [...before, ...action, ...after, ...footer.map((line) => `-- \n${line}`)]
  return {
    subject: filled(template.subject, values).slice(0, MAX_SUBJECT),
    text: `${text.join('\n\n')}\n`,
    html: page({
      language,
      before: before.map(escaped),
      action:
        link === '' ? '' : `<a href="${escaped(link)}" style="${BUTTON}">${escaped(template.action)}</a>`,
      after: after.map(escaped),
      footer: [
        ...boundary.map(escaped),
        ...(unsubscribeUrl === undefined
          ? []
          : [
              `<a href="${escaped(unsubscribeUrl)}" style="color:#57606a">${escaped(filled(words.unsubscribe, values))}</a>`,
            ]),
      ],
    }),
  }
}

/** What the service says itself, and not people. */
const PHRASES: ReadonlySet<string> = new Set(['when', 'result', 'advice', 'password', 'role', 'inviter'])
const TIMES: ReadonlySet<string> = new Set(['expires', 'due', 'revoked', 'since'])

/** The values in this language. Names, titles and messages stay as people wrote them. */
function inLanguage(
  data: Readonly<Record<string, string>>,
  language: Language,
): Readonly<Record<string, string>> {
  const { phrases } = MAIL_TEXTS[language].words
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (PHRASES.has(name)) return [name, translatePhrase(value, english.phrases, phrases)]
      return [name, TIMES.has(name) && value.endsWith('Z') ? mailDate(value, language) : value]
    }),
  )
}

/** `24 November 2026 at 14:30 UTC` */
function mailDate(time: string, language: Language): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Date(time).toLocaleString(language === 'en' ? 'en-GB' : language, format)} UTC`
}

const MAX_SUBJECT = 200
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1f5fbf;color:#ffffff;text-decoration:none;font-weight:600'

const paragraphs = (lines: readonly string[], values: Readonly<Record<string, string>>): readonly string[] =>
  lines
    .filter((line) => namesIn(line).every((name) => values[name] !== ''))
    .map((line) => filled(line, values))

const namesIn = (line: string): readonly string[] =>
  Array.from(line.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)

const filled = (line: string, values: Readonly<Record<string, string>>): string =>
  line.replaceAll(/\{(\w+)\}/g, (_, name: string) => oneLine(values[name] ?? ''))

/** Control and bidirectional characters could forge a header or disguise a text. */
export const oneLine = (text: string): string =>
  text.replaceAll(new RegExp(`[${INVISIBLE.breaking}]+`, 'gu'), ' ').trim()

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => ESCAPES[mark] ?? mark)

interface Parts {
  readonly language: Language
  readonly before: readonly string[]
  readonly action: string
  readonly after: readonly string[]
  readonly footer: readonly string[]
}

/** Mail programs ignore style sheets, so styles are inline. */
const page = ({ language, before, action, after, footer }: Parts): string =>
  [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    '<meta name="color-scheme" content="light dark"></head>',
    '<body style="margin:0;padding:24px;font:16px/1.5 sans-serif"><div style="max-width:560px;margin:0 auto">',
    ...before.map((text) => `<p>${text}</p>`),
    ...(action === '' ? [] : [`<p style="margin:24px 0">${action}</p>`]),
    ...after.map((text) => `<p>${text}</p>`),
    ...footer.map((text) => `<p style="font-size:13px;color:#57606a">${text}</p>`),
    '</div></body></html>\n',
  ].join('\n')
