import { type Message, type Translate, INVISIBLE, type Language, Texts } from '@kitseal/kit/internal'
import mail, { type MailKey } from '../../../texts/mail.generated.ts'
import verifier from '../../../texts/verifier.generated.ts'

/**
 * What each kind of mail is filled with, beside its texts in texts/<language>/mail.json. Empty text leaves its paragraph out. `link` is a URL, or
 * a path of this service. What the service says itself is a message; what people wrote is text.
 */
export interface MailData {
  readonly invitation: Fields<'workspace' | 'link' | 'expires', 'role' | 'inviter'>
  readonly request: Fields<'workspace' | 'title' | 'message' | 'items' | 'due' | 'link'>
  readonly reminder: Fields<'workspace' | 'title' | 'due' | 'open' | 'link', 'when'>
  readonly period: Fields<'workspace' | 'title' | 'message' | 'due' | 'link', 'when' | 'items'>
  readonly result: Fields<'workspace' | 'title' | 'link', 'result' | 'advice'>
  readonly share: Fields<'workspace' | 'title' | 'note' | 'link' | 'expires', 'password'>
  readonly key_revocation: Fields<'workspace' | 'kid' | 'revoked' | 'since' | 'kits' | 'link'>
  readonly webhook_disabled: Fields<'workspace' | 'url' | 'since' | 'problem' | 'link'>
  readonly test: Fields<'workspace' | 'issuer' | 'link'>
  readonly access_reset: Fields<'workspace' | 'operator' | 'link' | 'expires'>
}

type Fields<Text extends string, Said extends string = never> = Readonly<Record<Text, string>> &
  Readonly<Record<Said, string | Message>>

export type TemplateName = keyof MailData

/** Whether the mail is about evidence, and so says what the service does not judge. */
export const TEMPLATES: Readonly<Record<TemplateName, { readonly boundary: boolean }>> = {
  invitation: { boundary: false },
  request: { boundary: true },
  reminder: { boundary: true },
  period: { boundary: true },
  result: { boundary: true },
  share: { boundary: true },
  key_revocation: { boundary: true },
  webhook_disabled: { boundary: false },
  test: { boundary: false },
  access_reset: { boundary: false },
}

type PhraseKey = Extract<MailKey, `mail.phrase.${string}`>

/** What stands in a mail, for the language that it is sent in. */
export const phrase: Translate<PhraseKey, never, Message> = (key, ...[args = {}]) => ({ key, args })

interface MailOptions {
  readonly language?: Language
  /** Shown at the end of mail to people who are not members of the workspace. */
  readonly unsubscribeUrl?: string | undefined
}

/** Fills a template, as plain text and as HTML. Values are text: markup and line breaks in them have no effect. */
export function renderMail<T extends TemplateName>(
  name: T,
  data: MailData[T],
  { language = 'en', unsubscribeUrl }: MailOptions = {},
) {
  const texts = textsIn(language)
  const values = valuesIn(data, texts, language)
  const say = (key: string): string => texts.find(key, values) ?? key
  /** Numbered from 1. One with an empty value is left out. */
  const paragraphs = (place: 'before' | 'after', number = 1): readonly string[] => {
    const parts = texts.rich(`mail.${name}.${place}.${number}`, values)
    if (parts === undefined) return []
    return [...(parts.includes('') ? [] : [parts.join('')]), ...paragraphs(place, number + 1)]
  }
  const { link } = data
  const button = say(`mail.${name}.action`)
  const before = paragraphs('before')
  const after = paragraphs('after')
  const boundary = TEMPLATES[name].boundary ? [say('kit.boundary')] : []
  const unsubscribe =
    unsubscribeUrl === undefined
      ? []
      : [texts.find('mail.unsubscribeText', { ...values, url: unsubscribeUrl }) ?? unsubscribeUrl]
  const action = link === '' ? [] : [`${button}:\n${link}`]
  const footer = [...boundary, ...unsubscribe].map((line) => `-- \n${line}`)
  return {
    subject: say(`mail.${name}.subject`).slice(0, MAX_SUBJECT),
    text: `${[...before, ...action, ...after, ...footer].join('\n\n')}\n`,
    html: page({
      language,
      before: before.map(escaped),
      action: link === '' ? '' : anchor(link, BUTTON, button),
      after: after.map(escaped),
      footer: [
        ...boundary.map(escaped),
        ...(unsubscribeUrl === undefined
          ? []
          : [anchor(unsubscribeUrl, 'color:#57606a', say('mail.unsubscribe'))]),
      ],
    }),
  }
}

const anchor = (url: string, style: string, text: string): string =>
  `<a href="${escaped(url)}" style="${style}">${escaped(text)}</a>`

const textsIn = (language: Language): Texts =>
  new Texts(
    { ...verifier['en'], ...mail['en'], ...verifier[language], ...mail[language] },
    {
      number: String,
      date: (value) => mailDate(value.toISOString(), language),
      plural: (value) => (value === 1 ? 'one' : 'other'),
      list: (parts) => parts.join(', '),
    },
  )

const TIMES: ReadonlySet<string> = new Set(['expires', 'due', 'revoked', 'since'])

/** The values in this language. Names, titles and messages stay as people wrote them. */
const valuesIn = (
  data: Readonly<Record<string, string | Message>>,
  texts: Texts,
  language: Language,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (typeof value !== 'string') return [name, oneLine(texts.find(value.key, value.args) ?? value.key)]
      return [name, oneLine(TIMES.has(name) && value.endsWith('Z') ? mailDate(value, language) : value)]
    }),
  )

/** `24 November 2026 at 14:30 UTC` */
function mailDate(time: string, language: Language): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Date(time).toLocaleString(language === 'en' ? 'en-GB' : language, format)} UTC`
}

const MAX_SUBJECT = 200
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1f5fbf;color:#ffffff;text-decoration:none;font-weight:600'

/** Control and bidirectional characters could forge a header or disguise a text. */
const oneLine = (text: string): string =>
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
