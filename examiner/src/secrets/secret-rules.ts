import { programInside } from '../search/program-search.ts'

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
function token(title: string, starts: string, body: string): SecretRule {
  const all = starts.split(' ')
  const literals = all.map((start) => start.replaceAll(/[.$^*+?()[\]{}|\\/]/g, String.raw`\$&`)).join('|')
  return {
    title,
    starts: all,
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

const TOKENS: readonly SecretRule[] = [
  // Cloud
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
  token('Google OAuth secret', 'GOCSPX-', String.raw`[\w-]{28}`),
  token('Google OAuth token', 'ya29.', String.raw`[\w-]{40,}`),
  { title: 'Azure storage key', starts: ['AccountKey='], pattern: /AccountKey=[A-Za-z0-9+/]{86}==/y },
  {
    title: 'Azure shared access key',
    starts: ['SharedAccessKey='],
    pattern: /SharedAccessKey=[A-Za-z0-9+/]{43}=/y,
  },
  secret('Azure client secret', ['Q~'], /Q~[\w.~-]{31,34}(?![\w.~-])/y, {
    matches: (text, at) => /(?<![\w~.-])[\w~.-]{3}\d$/.test(text.slice(Math.max(0, at - 5), at)),
  }),
  token('DigitalOcean token', 'dop_v1_ doo_v1_ dor_v1_', '[0-9a-f]{64}'),
  token('Alibaba Cloud key', 'LTAI', '(?=[A-Za-z]{0,20}\\d)[A-Za-z0-9]{20}'),
  token('Heroku key', 'HRKU-', String.raw`[\w-]{36,}`),
  token('Databricks token', 'dapi', '[0-9a-f]{32}(?:-\\d)?'),
  token('Vault token', 'hvs. hvb. hvr.', String.raw`[\w-]{24,}`),
  secret('Terraform token', ['.atlasv1.'], /\.atlasv1\.[\w-]{60,}/y),
  token('Doppler token', 'dp.pt. dp.st. dp.ct. dp.sa.', String.raw`[\w.-]{40,}`),
  token('PlanetScale secret', 'pscale_tkn_ pscale_pw_ pscale_oauth_', String.raw`[\w.=-]{32,}`),
  token('Tailscale key', 'tskey-', String.raw`[a-z]{2,10}-[A-Za-z0-9-]{16,}`),
  token('Netlify token', 'nfp_ nfo_', '[A-Za-z0-9]{36,}'),
  token('Supabase key', 'sbp_ sb_secret_', '[A-Za-z0-9_]{30,}'),
  token('Pulumi token', 'pul-', '[0-9a-f]{40}'),
  token('Fly.io token', 'fm2_ fo1_', String.raw`[A-Za-z0-9+/=_-]{40,}`),
  token('Cloudflare key', 'v1.0-', '[0-9a-f]{24}-[0-9a-f]{146}'),
  // Code and CI
  token('GitHub token', 'ghp_ gho_ ghu_ ghs_ ghr_', '[A-Za-z0-9]{36}'),
  token('GitHub token', 'github_pat_', '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'),
  token(
    'GitLab token',
    'glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas-',
    String.raw`[\w.-]{20,}`,
  ),
  token('Atlassian token', 'ATATT3 ATCTT3 ATBB', String.raw`[\w=-]{28,}`),
  token('CircleCI token', 'CCIPAT_ CCIPRJ_', String.raw`[\w]{40,}`),
  token('Buildkite token', 'bkua_ bkaj_', '[0-9a-z]{30,}'),
  secret(
    'npm token',
    ['npm_'],
    /(?<!\w)npm_(?=[A-Za-z]{0,40}\d)(?=[a-z0-9]{0,40}[A-Z])[A-Za-z0-9]{36}(?!\w)/y,
  ),
  secret('PyPI token', ['pypi-AgE'], /pypi-AgEIcHlwaS5vcmc[\w-]{50,}/y),
  token('RubyGems key', 'rubygems_', '[0-9a-f]{48}'),
  token('NuGet key', 'oy2', '[a-z0-9]{43}'),
  token('Docker token', 'dckr_pat_ dckr_oat_', String.raw`[\w-]{20,}`),
  token('Artifactory key', 'AKCp', '[A-Za-z0-9]{60,}'),
  token('SonarQube token', 'sqp_ squ_ sqa_', '[0-9a-f]{40}'),
  token('Postman key', 'PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}'),
  token('Linear key', 'lin_api_ lin_oauth_', '[A-Za-z0-9]{40,}'),
  token('Figma token', 'figd_', String.raw`[\w-]{36,}`),
  token('Notion token', 'ntn_', '[A-Za-z0-9]{40,}'),
  token('Sentry token', 'sntrys_ sntryu_', String.raw`[\w+/=-]{40,}`),
  token('Grafana token', 'glsa_ glc_', String.raw`[\w+/=-]{40,}`),
  token('New Relic key', 'NRAK- NRJS- NRII-', String.raw`[\w-]{19,}`),
  token('Dynatrace token', 'dt0c01. dt0s16.', String.raw`[A-Z0-9]{24}\.[A-Z0-9]{64}`),
  token('Airtable token', 'pat', String.raw`[A-Za-z0-9]{14}\.[0-9a-f]{64}`),
  token('Mapbox secret', 'sk.eyJ', String.raw`[\w-]{20,}\.[\w-]{20,}`),
  token('Shopify token', 'shpat_ shpca_ shppa_ shpss_', '[0-9a-fA-F]{32}'),
  token(
    'HubSpot token',
    'pat-na1- pat-eu1- pat-na2-',
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  ),
  token('kitseal API key', 'ks_key_', '[A-Za-z0-9]{22}_[A-Za-z0-9]{49}'),
  // Chat and mail
  secret(
    'Slack token',
    ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-'],
    /(?<!\w)xox[abprs]-\d{9,14}-[\w-]{16,}/y,
  ),
  token('Slack token', 'xapp- xoxe-', String.raw`[\w-]{40,}`),
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
  token('Twilio key', 'SK', '[0-9a-f]{32}'),
  token('SendGrid key', 'SG.', String.raw`[\w-]{22}\.[\w-]{43}`),
  token('Mailgun key', 'key-', '[0-9a-f]{32}'),
  token('Brevo key', 'xkeysib-', '[0-9a-f]{64}-[A-Za-z0-9]{16}'),
  secret('Mailchimp key', ['-us'], /-us\d{1,2}(?!\w)/y, {
    matches: (text, at) => /(?<!\w)[0-9a-f]{32}$/.test(text.slice(Math.max(0, at - 33), at)),
  }),
  // Payment
  token('Stripe key', 'sk_live_ rk_live_', '[A-Za-z0-9]{24,}'),
  token('Stripe webhook secret', 'whsec_', '[A-Za-z0-9+/]{32,}'),
  token('Square token', 'sq0atp- sq0csp-', String.raw`[\w-]{22,}`),
  token('Square token', 'EAAA', String.raw`(?=[A-Za-z_-]{0,60}\d)[\w-]{60}`),
  token('Braintree token', 'access_token$production$', '[0-9a-z]{16}[$][0-9a-f]{32}'),
  token('Razorpay key', 'rzp_live_', '[A-Za-z0-9]{14}'),
  token('Plaid token', 'access-production-', '[0-9a-f]{8}-[0-9a-f-]{27}'),
  token('Paddle key', 'pdl_live_apikey_', '[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}'),
  token('Flutterwave key', 'FLWSECK-', '[0-9a-z]{32}-X'),
  // Models
  token('OpenAI key', 'sk-proj- sk-svcacct- sk-admin-', String.raw`[\w-]{40,}`),
  secret('OpenAI key', ['T3BlbkFJ'], /T3BlbkFJ[A-Za-z0-9]{20}(?!\w)/y, {
    matches: (text, at) => /(?<![\w-])sk-[A-Za-z0-9]{20}$/.test(text.slice(Math.max(0, at - 24), at)),
  }),
  token('Anthropic key', 'sk-ant-', String.raw`[a-z]{2,8}\d{2}-[\w-]{60,}`),
  token('Hugging Face token', 'hf_', '(?=[a-z0-9]{0,34}[A-Z])[A-Za-z0-9]{34}'),
  token('Replicate token', 'r8_', '[A-Za-z0-9]{37}'),
  token('Groq key', 'gsk_', '[A-Za-z0-9]{52}'),
  token('xAI key', 'xai-', '[A-Za-z0-9]{80}'),
  token('Perplexity key', 'pplx-', '[A-Za-z0-9]{48}'),
  token('OpenRouter key', 'sk-or-v1-', '[0-9a-f]{64}'),
  token('LangSmith key', 'lsv2_', String.raw`(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}`),
  token('ElevenLabs key', 'sk_', '[0-9a-f]{48}'),
  // Any service
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
