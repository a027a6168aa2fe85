import { programInside } from '../search/program-search.ts'
import tokens from './tokens.json' with { type: 'json' }

/** One kind of secret, macro or active content. `starts` are the literals that it can start with; `pattern` is matched where one of them is. */
export interface SecretRule {
  readonly title: string
  readonly starts: readonly string[]
  readonly pattern: RegExp
  /** Without it, `possible_secret`. */
  readonly code?: 'private_key' | 'macros' | 'active_content' | 'executable_content' | 'namespace' | 'link'
  /** Whether `starts`, which are in lower case, match in both cases. */
  readonly isCaseless?: boolean
  /** Looks at the bytes before anything is decoded, where a start is common. */
  readonly mayMatch?: ((bytes: Uint8Array, at: number) => boolean) | undefined
  /** Looks further around what the pattern matched at `at`. */
  readonly matches?: ((text: string, at: number) => boolean) | undefined
}

/** In lower case. */
export const isLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a

/** A value that is not a placeholder such as `<password>`, `${DB_PASSWORD}`, `somepassword` or `changeme`. */
const VALUE = String.raw`(?!(?:pass|passw|pwd|secret|token|user|admin|root|test|example|sample|some|dummy|changeme|your|my|foo|xxx|\.\.\.|\*\*\*))[^\s:@/<>{}$%*"'\`\\;,()[\]]`

/** Base64 of at least a short key, also in a JSON string, where line breaks are `\n`. */
const BREAK = String.raw`(?:\s|\\r|\\n)`
const KEY_BODY = String.raw`${BREAK}{0,20}(?:[A-Za-z-]{3,30}: [^\n\\]{1,100}(?:\n|\\r|\\n)){0,10}${BREAK}{0,4}(?:[A-Za-z0-9+/]{16,}={0,2}(?:\s|\\r|\\n|\\?["',;]){0,60}){2,}`

/** `name-` and what follows it, in letters and digits. Not in the middle of a word, and no placeholder of one letter. */
function token(title: string, starts: readonly string[], body: string): SecretRule {
  const literals = starts.map((start) => start.replaceAll(/[.$^*+?()[\]{}|\\/]/g, String.raw`\$&`)).join('|')
  return {
    title,
    starts,
    pattern: new RegExp(String.raw`(?<![\w-])(?:${literals})(?!(.)\1{5})${body}(?!\w)`, 'y'),
  }
}

const secret = (
  title: string,
  starts: readonly string[],
  pattern: RegExp,
  more: Pick<SecretRule, 'mayMatch' | 'matches'> = {},
): SecretRule => ({ title, starts, pattern, ...more })

const key = (title: string, starts: readonly string[], pattern: RegExp): SecretRule => ({
  title,
  starts,
  pattern,
  code: 'private_key',
})

const KEYS: readonly SecretRule[] = [
  key(
    'PEM',
    ['-----BEGIN '],
    new RegExp(String.raw`-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY-----${KEY_BODY}`, 'y'),
  ),
  key(
    'OpenPGP',
    ['-----BEGIN '],
    new RegExp(String.raw`-----BEGIN PGP PRIVATE KEY BLOCK-----${KEY_BODY}`, 'y'),
  ),
  key('PuTTY', ['PuTTY-User-Key-File-'], /PuTTY-User-Key-File-[23]: [\w-]{3,40}\s{1,4}Encryption: /y),
  key('age', ['AGE-SECRET-KEY-1'], /(?<!\w)AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}(?!\w)/y),
  key(
    'WireGuard',
    ['PrivateKey', 'PresharedKey'],
    /(?:PrivateKey|PresharedKey)[ \t]{0,8}=[ \t]{0,8}[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=(?![\w=])/y,
  ),
  {
    ...key('JWK', ['"d"'], /"d"\s{0,8}:\s{0,8}"[\w-]{40,}"/y),
    matches: (text, at) =>
      /"kty"\s{0,8}:\s{0,8}"(?:EC|OKP|RSA)"/.test(text.slice(Math.max(0, at - 2000), at + 2000)),
  },
  {
    ...key('PEM in base64', ['LS0tLS1CRUdJTi'], /LS0tLS1CRUdJTi[A-Za-z0-9+/\s]{100}/y),
    matches: (text, at) =>
      /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/.test(textOfBase64(text.slice(at, at + 120))),
  },
]

function textOfBase64(text: string): string {
  const letters = text.replaceAll(/[^A-Za-z\d+/]/g, '')
  return atob(letters.slice(0, letters.length - (letters.length % 4)))
}

/** Tokens that are told by how they start are in tokens.json. */
const TOKENS: readonly SecretRule[] = [
  ...tokens.map(({ title, starts, body }) => token(title, starts.split(' '), body)),
  {
    title: 'AWS access key ID',
    starts: ['AKIA', 'ASIA'],
    pattern: /(?<![A-Za-z0-9+/])A[KS]IA(?![A-Z2-7]{0,16}EXAMPLE)[A-Z2-7]{16}(?![A-Za-z0-9+/=])/y,
  },
  {
    title: 'AWS secret access key',
    starts: ['ecret_access_key', 'ecretAccessKey', 'ECRET_ACCESS_KEY'],
    pattern:
      /ecret(?:_a|A)ccess(?:_k|K)ey["']?\s{0,8}[=:]\s{0,8}["']?(?![A-Za-z0-9/+]{0,40}EXAMPLE)(?=[^\n]{0,40}\d)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/iy,
  },
  secret('Google API key', ['AIza'], /(?<![\w-])AIza[\w-]{35}(?![\w-])/y),
  { title: 'Azure storage key', starts: ['AccountKey='], pattern: /AccountKey=[A-Za-z0-9+/]{86}==/y },
  {
    title: 'Azure shared access key',
    starts: ['SharedAccessKey='],
    pattern: /SharedAccessKey=[A-Za-z0-9+/]{43}=/y,
  },
  secret('Azure client secret', ['Q~'], /Q~[\w.~-]{31,34}(?![\w.~-])/y, {
    matches: (text, at) => /(?<![\w~.-])[\w~.-]{3}\d$/.test(text.slice(Math.max(0, at - 5), at)),
  }),
  secret('Terraform token', ['.atlasv1.'], /\.atlasv1\.[\w-]{60,}/y),
  secret(
    'npm token',
    ['npm_'],
    /(?<!\w)npm_(?=[A-Za-z]{0,40}\d)(?=[a-z0-9]{0,40}[A-Z])[A-Za-z0-9]{36}(?!\w)/y,
  ),
  secret('PyPI token', ['pypi-AgE'], /pypi-AgEIcHlwaS5vcmc[\w-]{50,}/y),
  secret(
    'Slack token',
    ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-'],
    /(?<!\w)xox[abprs]-\d{9,14}-[\w-]{16,}/y,
  ),
  secret(
    'Slack webhook',
    ['hooks.slack.com/services/'],
    /hooks\.slack\.com\/services\/T(?!0+\/)[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{24}/y,
  ),
  secret('Discord webhook', ['/api/webhooks/'], /\/api\/webhooks\/\d{17,20}\/[\w-]{60,}/y),
  secret(
    'Teams webhook',
    ['webhook.office.com/'],
    /webhook\.office\.com\/webhookb2\/[\w-]{36}@[\w-]{36}\/IncomingWebhook\/[0-9a-f]{32}/y,
  ),
  secret(
    'Discord token',
    ['MT', 'Mz', 'Nz', 'OD', 'Nj', 'Mj', 'NT', 'ND', 'OT'],
    /(?<![\w.-])[MNO][TzjD][A-Za-z\d]{22,26}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])/y,
    { mayMatch: hasDot },
  ),
  secret('Telegram token', [':AA'], /:AA[\w-]{33}(?![\w-])/y, {
    matches: (text, at) => /(?<!\d)\d{8,10}$/.test(text.slice(Math.max(0, at - 11), at)),
  }),
  secret('Mailchimp key', ['-us'], /-us\d{1,2}(?!\w)/y, {
    matches: (text, at) => /(?<!\w)[0-9a-f]{32}$/.test(text.slice(Math.max(0, at - 33), at)),
  }),
  secret('OpenAI key', ['T3BlbkFJ'], /T3BlbkFJ[A-Za-z0-9]{20}(?!\w)/y, {
    matches: (text, at) => /(?<![\w-])sk-[A-Za-z0-9]{20}$/.test(text.slice(Math.max(0, at - 24), at)),
  }),
  secret('thing.token', ['eyJ'], /(?<![\w.-])eyJ[\w-]{16,}\.eyJ[\w-]{16,}\.[\w-]{32,}/y),
  secret(
    'thing.connection',
    ['://'],
    new RegExp(String.raw`://[\w.%+-]{0,64}:(?![A-Z_]{1,80}@)${VALUE}{8,80}@[\w.-]{3,200}`, 'y'),
    { mayMatch: hasAt },
  ),
  secret(
    'thing.connection',
    ['Password=', 'Pwd=', 'password='],
    new RegExp(
      String.raw`(?<=[;"'?&:](?:User )?)(?:[Pp]assword|Pwd)=(?=[^;&\s"']{0,80}\d)${VALUE}{8,80}(?=[;&"'\s]|$)`,
      'y',
    ),
  ),
  secret(
    'password for a machine (.netrc)',
    ['machine '],
    new RegExp(String.raw`(?<!\w)machine \S{3,100}\s{1,8}login \S{1,100}\s{1,8}password ${VALUE}{8,80}`, 'y'),
  ),
  {
    title: 'registry password (Docker)',
    starts: ['"auth"'],
    pattern: /"auth"\s{0,8}:\s{0,8}"[A-Za-z0-9+/]{16,500}={0,2}"/y,
    matches: (text, at) =>
      /^[\w.@+-]{1,100}:\S{6,}$/.test(textOfBase64(text.slice(at, at + 600).split('"')[3] ?? '')),
  },
  {
    title: 'authorization header',
    starts: ['authorization', 'Authorization', 'AUTHORIZATION'],
    pattern:
      /authorization["']?\s{0,8}(?:[:=]|,\s{0,8}["']?value["']?\s{0,8}:)\s{0,8}["']?(?:Bearer|Basic|token) (?!<|\$|\{)(?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{20,}/iy,
  },
  secret(
    'session cookie',
    ['"cookie"', '"Cookie"', 'Cookie: ', 'cookie: '],
    /(?:"cookie"\s{0,8},\s{0,8}"value"\s{0,8}:\s{0,8}"|cookie: )[^"\r\n]{0,500}?(?:sess|sid|auth|token|jwt)[\w.-]{0,40}=(?=[^;\s"]{0,100}\d)[^;\s"]{16,}/iy,
  ),
  secret('token in a kubeconfig', ['    token: '], /\s{4}token: (?=[\w.-]{0,200}\d)[\w.-]{20,}/y),
]

/** Something like `a.b.c` follows. */
function hasDot(bytes: Uint8Array, at: number): boolean {
  for (let index = at + 24; index < at + 29; index++) if (bytes[index] === 0x2e) return true
  return false
}

/** A sign of a user name before a host. */
function hasAt(bytes: Uint8Array, at: number): boolean {
  let hasColon = false
  for (let index = at + 3; index < at + 150; index++) {
    const byte = bytes[index] ?? 0
    if (byte === 0x3a) hasColon = true
    else if (byte === 0x40) return hasColon
    else if (byte <= 0x20 || byte === 0x2f || byte === 0x22) return false
  }
  return false
}

export const SECRET_RULES: readonly SecretRule[] = [...KEYS, ...TOKENS]

/** What the same pass finds beside secrets: macros in the text forms of Office documents, programs and files in base64. */
export const CONTENT_RULES: readonly SecretRule[] = [
  {
    title: 'thing.wordXml',
    starts: ['macrosPresent='],
    pattern: /macrosPresent=["']yes["']/y,
    code: 'macros',
  },
  {
    title: 'thing.odfMacros',
    starts: ['<ooo:module', '<script:module'],
    pattern: /<(?:ooo|script):module[\s>]/y,
    code: 'macros',
  },
  // "ActiveMime" in base64: a VBA project in a saved web page.
  {
    title: 'thing.savedDocument',
    starts: ['QWN0aXZlTWlt'],
    pattern: /QWN0aXZlTWlt/y,
    code: 'macros',
  },
  {
    title: 'thing.vbaProject',
    starts: ['/word/vbaProject.bin', '/xl/vbaProject.bin', '/ppt/vbaProject.bin'],
    pattern: /\/(?:word|xl|ppt)\/vbaProject\.bin["']/y,
    code: 'macros',
  },
  {
    title: 'thing.base64Program',
    starts: ['TVqQ', 'TVpQ', 'TVoA', 'TVqA', 'TVqr', 'f0VMR'],
    pattern: /(?<![A-Za-z0-9+/])(?:TV|f0V)[A-Za-z0-9+/\s\\]{80,}/y,
    code: 'executable_content',
    matches: (text, at) => programInside(bytesOfBase64(text.slice(at, at + 2000))) !== undefined,
  },
  { title: 'a file in a link', starts: [';base64,'], pattern: /;base64,/y, code: 'link' },
  // A file in a calendar or a contact card, whose long lines go on after a line break and a blank.
  {
    title: 'an attached file',
    starts: ['encoding=b', 'encoding="b'],
    pattern: /encoding="?b(?:ase64)?"?(?:"[^"\r\n]{0,300}"|\r?\n[ \t]|[^":\r\n<>]){0,500}:/iy,
    code: 'link',
    isCaseless: true,
  },
  // A part of a package in one XML file (flat OPC).
  { title: 'a part', starts: ['binaryData>'], pattern: /(?<!\/[\w:]{0,20})binaryData>/y, code: 'link' },
]

const bytesOfBase64 = (text: string): Uint8Array => {
  const letters = (/^(?:[A-Za-z\d+/]|\s|\\[nr])*/.exec(text)?.[0] ?? '').replaceAll(/\\[nr]|\s/g, '')
  return Uint8Array.from(atob(letters.slice(0, letters.length - (letters.length % 4))), (letter) =>
    letter.charCodeAt(0),
  )
}

/** `name = value` in a settings file. The value needs letters and digits, so that words and references do not count. */
export const PASSWORD_SETTING = new RegExp(
  String.raw`(?:^|[\s,{;])["']?[\w.-]{0,40}(?:password|passwd|secret[_-]?key|api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret)["']?[ \t]{0,8}[=:][ \t]{0,8}["']?(?=[^\s"']{0,100}\d)(?=[^\s"']{0,100}[A-Za-z])${VALUE}{10,100}(?=["'\s,;]|$)`,
  'gim',
)
