/** One kind of secret, macro or active content. `starts` are the literals that it can start with; `pattern` is matched where one of them is. */
export interface SecretRule {
  readonly title: string
  readonly starts: readonly string[]
  readonly pattern: RegExp
  /** Without it, `possible_secret`. */
  readonly code?: 'private_key' | 'macros' | 'active_content' | 'namespace'
  /** Whether `starts`, which are in lower case, match in both cases. */
  readonly isCaseless?: boolean
  /** Looks at the bytes before anything is decoded, where a start is common. */
  readonly mayMatch?: ((bytes: Uint8Array, at: number) => boolean) | undefined
  /** Looks further around what the pattern matched at `at`. */
  readonly matches?: ((text: string, at: number) => boolean) | undefined
}

/** In lower case. */
export const isLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a

/** Base64 of at least a short key, also in a JSON string, where line breaks are `\n`. */
const KEY_BODY = String.raw`(?:\s|\\r|\\n|[A-Za-z-]{3,30}: [^\n\\]{1,100})*(?:[A-Za-z0-9+/]{16,}={0,2}(?:\s|\\r|\\n|\\?["',;])*){2,}`

/** A value that is not a placeholder such as `<password>`, `${DB_PASSWORD}`, `somepassword` or `changeme`. */
const VALUE = String.raw`(?!(?:pass|passw|pwd|secret|token|user|admin|root|test|example|sample|some|dummy|changeme|your|my|foo|xxx|\.\.\.|\*\*\*)[\w*.-]*)[^\s:@/<>{}$%*"'\`\\;,()[\]]`

export const SECRET_RULES: readonly SecretRule[] = [
  {
    title: 'private key (PEM)',
    starts: ['-----BEGIN '],
    pattern: new RegExp(String.raw`-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY-----${KEY_BODY}`, 'y'),
    code: 'private_key',
  },
  {
    title: 'private key (OpenPGP)',
    starts: ['-----BEGIN '],
    pattern: new RegExp(String.raw`-----BEGIN PGP PRIVATE KEY BLOCK-----${KEY_BODY}`, 'y'),
    code: 'private_key',
  },
  {
    title: 'private key (PuTTY)',
    starts: ['PuTTY-User-Key-File-'],
    pattern: /PuTTY-User-Key-File-[23]: [\w-]+\s+Encryption: /y,
    code: 'private_key',
  },
  {
    title: 'AWS access key ID',
    starts: ['AKIA', 'ASIA'],
    pattern: /(?<![A-Za-z0-9+/])A[KS]IA(?![A-Z2-7]*EXAMPLE)[A-Z2-7]{16}(?![A-Za-z0-9+/=])/y,
  },
  {
    title: 'GitHub token',
    starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /(?<!\w)gh[pousr]_(?!(.)\1{9})[A-Za-z0-9]{36}(?!\w)/y,
  },
  {
    title: 'GitHub token',
    starts: ['github_pat_'],
    pattern: /(?<!\w)github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?!\w)/y,
  },
  { title: 'GitLab token', starts: ['glpat-'], pattern: /(?<!\w)glpat-(?!(.)\1{9})[\w-]{20}(?![\w-])/y },
  {
    title: 'Slack token',
    starts: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-'],
    pattern: /(?<!\w)xox[abprs]-\d{9,14}-[\w-]{16,}/y,
  },
  {
    title: 'Slack webhook',
    starts: ['hooks.slack.com/services/'],
    pattern: /hooks\.slack\.com\/services\/T(?!0+\/)[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{24}/y,
  },
  { title: 'Google API key', starts: ['AIza'], pattern: /(?<![\w-])AIza[\w-]{35}(?![\w-])/y },
  {
    title: 'Stripe key',
    starts: ['sk_live_', 'rk_live_'],
    pattern: /(?<!\w)[sr]k_live_(?!(.)\1{9})[A-Za-z0-9]{24,}/y,
  },
  { title: 'OpenAI key', starts: ['sk-proj-'], pattern: /(?<![\w-])sk-proj-[\w-]{40,}/y },
  { title: 'Anthropic key', starts: ['sk-ant-'], pattern: /(?<![\w-])sk-ant-[a-z]+\d{2}-[\w-]{60,}/y },
  {
    title: 'npm token',
    starts: ['npm_'],
    pattern: /(?<!\w)npm_(?=[A-Za-z]*\d)(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{36}(?!\w)/y,
  },
  { title: 'PyPI token', starts: ['pypi-AgE'], pattern: /pypi-AgEIcHlwaS5vcmc[\w-]{50,}/y },
  { title: 'SendGrid key', starts: ['SG.'], pattern: /(?<![\w.-])SG\.[\w-]{22}\.[\w-]{43}(?![\w-])/y },
  { title: 'DigitalOcean token', starts: ['dop_v1_'], pattern: /(?<!\w)dop_v1_[0-9a-f]{64}(?!\w)/y },
  { title: 'Azure storage key', starts: ['AccountKey='], pattern: /AccountKey=[A-Za-z0-9+/]{86}==/y },
  { title: 'Vault token', starts: ['hvs.'], pattern: /(?<![\w.])hvs\.[\w-]{24,}/y },
  {
    title: 'kitseal API key',
    starts: ['ks_key_'],
    pattern: /(?<!\w)ks_key_[A-Za-z0-9]{22}_[A-Za-z0-9]{49}(?!\w)/y,
  },
  {
    title: 'signed token (JWT)',
    starts: ['eyJ'],
    pattern: /(?<![\w.-])eyJ[\w-]{16,}\.eyJ[\w-]{16,}\.[\w-]{32,}/y,
  },
  {
    title: 'connection string with a password',
    starts: [
      'postgres://',
      'postgresql://',
      'mysql://',
      'mongodb://',
      'mongodb+srv://',
      'redis://',
      'rediss://',
      'amqp://',
      'amqps://',
      'mssql://',
      'sqlserver://',
    ],
    pattern: new RegExp(
      String.raw`[a-z+]{5,11}://[\w.-]{0,40}:(?![A-Z_]+@)${VALUE}{8,80}@[\w.-]{3,200}`,
      'y',
    ),
  },
  {
    title: 'connection string with a password',
    starts: ['Password=', 'Pwd='],
    pattern: new RegExp(String.raw`(?<=[;"'](?:User )?)(?:Password|Pwd)=(?=[^;]*\d)${VALUE}{8,80};`, 'y'),
  },
]

/** Macros in the text forms of Office documents. They are searched for in the same pass. */
export const MACRO_RULES: readonly SecretRule[] = [
  {
    title: 'a Word XML document with macros',
    starts: ['macrosPresent='],
    pattern: /macrosPresent=["']yes["']/y,
    code: 'macros',
  },
  {
    title: 'an OpenDocument file with macros',
    starts: ['<ooo:module', '<script:module'],
    pattern: /<(?:ooo|script):module[\s>]/y,
    code: 'macros',
  },
  // "ActiveMime" in base64: a VBA project in a saved web page.
  {
    title: 'a saved document with macros',
    starts: ['QWN0aXZlTWlt'],
    pattern: /QWN0aXZlTWlt/y,
    code: 'macros',
  },
]

/** `name = value` in a settings file. The value needs letters and digits, so that words and references do not count. */
export const PASSWORD_SETTING = new RegExp(
  String.raw`(?:^|[\s,{;])["']?[\w.-]{0,40}(?:password|passwd|secret[_-]?key|api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret)["']?[ \t]{0,8}[=:][ \t]{0,8}["']?(?=[^\s"']*\d)(?=[^\s"']*[A-Za-z])${VALUE}{10,100}(?=["'\s,;]|$)`,
  'gim',
)
