import { BOUNDARY } from '@kitseal/kit'
import { type MailData, type Template, type TemplateName, TEMPLATES } from './mail-templates.ts'

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Footer {
  /** Shown at the end of mail to people who are not members of the workspace. */
  readonly unsubscribeUrl?: string | undefined
}

/** Fills a template, as plain text and as HTML. Values are text: markup and line breaks in them have no effect. */
export function renderMail<T extends TemplateName>(
  name: T,
  data: MailData[T],
  { unsubscribeUrl }: Footer = {},
): RenderedMail {
  const template: Template = TEMPLATES[name]
  const values = data as Readonly<Record<string, string>>
  const link = values['link'] ?? ''
  const before = paragraphs(template.before, values)
  const after = paragraphs(template.after, values)
  const footer = [
    ...(template.boundary ? [BOUNDARY] : []),
    ...(unsubscribeUrl === undefined
      ? []
      : [filled(`To get no more mail from {workspace}: ${unsubscribeUrl}`, values)]),
  ]
  const action = link === '' ? [] : [`${template.action}:\n${link}`]
  const text = [...before, ...action, ...after, ...footer.map((line) => `-- \n${line}`)]
  return {
    subject: filled(template.subject, values).slice(0, MAX_SUBJECT),
    text: `${text.join('\n\n')}\n`,
    html: page({
      before: before.map(escaped),
      action:
        link === '' ? '' : `<a href="${escaped(link)}" style="${BUTTON}">${escaped(template.action)}</a>`,
      after: after.map(escaped),
      footer: [
        ...(template.boundary ? [escaped(BOUNDARY)] : []),
        ...(unsubscribeUrl === undefined
          ? []
          : [
              `<a href="${escaped(unsubscribeUrl)}" style="color:#57606a">${escaped(filled('Get no more mail from {workspace}', values))}</a>`,
            ]),
      ],
    }),
  }
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
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim()

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => ESCAPES[mark] ?? mark)

interface Parts {
  readonly before: readonly string[]
  readonly action: string
  readonly after: readonly string[]
  readonly footer: readonly string[]
}

/** Mail programs ignore style sheets, so styles are inline. */
const page = ({ before, action, after, footer }: Parts): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark"></head>',
    '<body style="margin:0;padding:24px;font:16px/1.5 sans-serif"><div style="max-width:560px;margin:0 auto">',
    ...before.map((text) => `<p>${text}</p>`),
    ...(action === '' ? [] : [`<p style="margin:24px 0">${action}</p>`]),
    ...after.map((text) => `<p>${text}</p>`),
    ...footer.map((text) => `<p style="font-size:13px;color:#57606a">${text}</p>`),
    '</div></body></html>\n',
  ].join('\n')
