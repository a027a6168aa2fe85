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
export const IS_ABOUT_EVIDENCE: Readonly<Record<TemplateName, boolean>> = {
  invitation: false,
  request: true,
  reminder: true,
  period: true,
  result: true,
  share: true,
  key_revocation: true,
  webhook_disabled: false,
  test: false,
  access_reset: false,
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
export function renderMail(
  name: TemplateName,
  data: Readonly<Record<string, string | Message>> & { readonly link: string },
  { language = 'en', unsubscribeUrl }: MailOptions = {},
) {
  const texts = textsIn(language)
  const values = valuesIn(data, texts, language)
  const say = (key: string, more: object = {}): string => texts.find(key, { ...values, ...more }) ?? key
  /** Numbered from 1. One with an empty value is left out. */
  const paragraphs = (place: 'before' | 'after', number = 1): readonly string[] => {
    const parts = texts.rich(`mail.${name}.${place}.${number}`, values)
    if (parts === undefined) return []
    return [...(parts.includes('') ? [] : [parts.join('')]), ...paragraphs(place, number + 1)]
  }
  const { link } = data
  const button = say(`mail.${name}.action`)
  const [before, after] = [paragraphs('before'), paragraphs('after')]
  const boundary = IS_ABOUT_EVIDENCE[name] ? [say('kit.boundary')] : []
  const url = unsubscribeUrl === undefined ? [] : [unsubscribeUrl]
  const footer = [...boundary, ...url.map((each) => say('mail.unsubscribeText', { url: each }))]
  return {
    subject: say(`mail.${name}.subject`).slice(0, MAX_SUBJECT),
    text: `${[
      ...before,
      ...(link === '' ? [] : [`${button}:\n${link}`]),
      ...after,
      ...footer.map((line) => `-- \n${line}`),
    ].join('\n\n')}\n`,
    html: page(language, [
      ...before.map((text) => `<p>${escaped(text)}</p>`),
      ...(link === '' ? [] : [`<p style="margin:24px 0">${anchor(link, BUTTON, button)}</p>`]),
      ...after.map((text) => `<p>${escaped(text)}</p>`),
      ...boundary.map((text) => small(escaped(text))),
      ...url.map((each) => small(anchor(each, 'color:#57606a', say('mail.unsubscribe')))),
    ]),
  }
}

const small = (html: string): string => `<p style="font-size:13px;color:#57606a">${html}</p>`
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

export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

/** Mail programs ignore style sheets, so styles are inline. */
const page = (language: Language, paragraphs: readonly string[]): string =>
  [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    '<meta name="color-scheme" content="light dark"></head>',
    '<body style="margin:0;padding:24px;font:16px/1.5 sans-serif"><div style="max-width:560px;margin:0 auto">',
    ...paragraphs,
    '</div></body></html>\n',
  ].join('\n')
