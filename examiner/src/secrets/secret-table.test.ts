import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { openXml } from '../../test/evidence-samples.ts'
import { examine } from '../../test/examine.ts'
import { withObject } from '../../test/pdf-samples.ts'

// The forms of secrets that their makers document, each with one that is found and one that is not. Prefixes are joined here,
// so that no scanner takes this file for a leak.

const letters = (length: number): string =>
  Array.from({ length }, (_, index) => 'aB3dE5fG7hJ2kL4mN6pQ8rS'[(index * 7) % 23]).join('')
const hex = (length: number): string =>
  Array.from({ length }, (_, index) => '0a1b2c3d4e5f6789'[(index * 7) % 16]).join('')
const lower = (length: number): string => letters(length).toLowerCase()
const upper = (length: number): string => letters(length).toUpperCase()
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const uuid = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`
const PEM = `-----BEGIN ${'PRIVATE KEY'}-----\n${letters(64)}\n${letters(64)}\n-----END ${'PRIVATE KEY'}-----\n`

type Row = readonly [title: string, secret: string, other: string]

const SECRETS: readonly Row[] = [
  ['AWS access key ID', `AK${'IA'}QXZ5J3N7WK2VB4TR`, `AK${'IA'}IOSFODNN7EXAMPLE`],
  [
    'AWS secret access key',
    `aws_secret_access_${'key'} = ${letters(40)}`,
    'aws_secret_access_key = <secret>',
  ],
  ['Google API key', `AI${'za'}${letters(35)}`, `AI${'za'}short`],
  ['Google OAuth secret', `GOC${'SPX-'}${letters(28)}`, 'GOCSPX-xxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
  ['Azure storage key', `Account${'Key='}${letters(86)}==`, 'AccountKey=<key>'],
  ['Azure shared access key', `SharedAccess${'Key='}${letters(43)}=`, 'SharedAccessKey=key'],
  ['Azure client secret', `ab1${'8Q~'}${letters(32)}`, 'ab18Q~ short'],
  ['DigitalOcean token', `dop${'_v1_'}${hex(64)}`, 'dop_v1_token'],
  ['Alibaba Cloud key', `LT${'AI'}${letters(20)}`, 'LTAInothing'],
  ['Databricks token', `da${'pi'}${hex(32)}`, 'dapi1.example'],
  ['Vault token', `hv${'s.'}${letters(24)}`, 'hvs.short'],
  ['Terraform token', `${letters(14)}.atlas${'v1.'}${letters(64)}`, 'x.atlasv1.y'],
  ['Doppler token', `dp.${'pt.'}${letters(43)}`, 'dp.pt.x'],
  ['PlanetScale secret', `pscale_${'tkn_'}${letters(43)}`, 'pscale_tkn_x'],
  ['Tailscale key', `ts${'key-'}auth-${letters(20)}`, 'tskey-auth'],
  ['Netlify token', `nf${'p_'}${letters(36)}`, 'nfp_x'],
  ['Supabase key', `sb${'p_'}${hex(40)}`, 'sbp_x'],
  ['Pulumi token', `pu${'l-'}${hex(40)}`, 'pul-x'],
  ['Heroku key', `HR${'KU-'}${uuid}`, 'HRKU-x'],
  ['GitHub token', `gh${'p_'}${letters(36)}`, `gh${'p_'}${'x'.repeat(36)}`],
  ['GitHub token', `github_${'pat_'}${letters(22)}_${letters(59)}`, 'github_pat_x'],
  ['GitLab token', `gl${'pat-'}${letters(20)}`, `gl${'pat-'}xxxxxxxxxxxxxxxxxxxx`],
  ['Atlassian token', `ATA${'TT3'}${letters(60)}`, 'ATATT3'],
  ['CircleCI token', `CCI${'PAT_'}${letters(22)}_${hex(40)}`, 'CCIPAT_x'],
  ['Buildkite token', `bk${'ua_'}${lower(40)}`, 'bkua_x'],
  ['npm token', `np${'m_'}${letters(36)}`, 'npm_config_registry'],
  ['PyPI token', `pypi-${'AgE'}IcHlwaS5vcmc${letters(60)}`, 'pypi-AgE'],
  ['RubyGems key', `rubygems${'_'}${hex(48)}`, 'rubygems_version'],
  ['NuGet key', `oy${'2'}${lower(43)}`, 'oy2'],
  ['Docker token', `dckr_${'pat_'}${letters(27)}`, 'dckr_pat_x'],
  ['SonarQube token', `sq${'p_'}${hex(40)}`, 'sqp_x'],
  ['Postman key', `PM${'AK-'}${hex(24)}-${hex(34)}`, 'PMAK-x'],
  ['Linear key', `lin_${'api_'}${letters(40)}`, 'lin_api_x'],
  ['Figma token', `fi${'gd_'}${letters(40)}`, 'figd_x'],
  ['Notion token', `nt${'n_'}${letters(46)}`, 'ntn_x'],
  ['Grafana token', `gl${'sa_'}${letters(32)}_${hex(8)}`, 'glsa_x'],
  ['New Relic key', `NR${'AK-'}${upper(27)}`, 'NRAK-x'],
  ['Dynatrace token', `dt0${'c01.'}${upper(24)}.${upper(64)}`, 'dt0c01.x'],
  ['Airtable token', `pa${'t'}${letters(14)}.${hex(64)}`, 'pattern.of'],
  ['Shopify token', `shp${'at_'}${hex(32)}`, 'shpat_x'],
  ['HubSpot token', `pat-${'na1-'}${uuid}`, 'pat-na1-x'],
  ['Slack token', `xo${'xb-'}123456789012-${letters(24)}`, 'xoxb-token'],
  [
    'Slack webhook',
    `https://hooks.slack.com/${'services/'}T${upper(8)}/B${upper(8)}/${letters(24)}`,
    'https://hooks.slack.com/services/T000/B000/X',
  ],
  [
    'Discord webhook',
    `https://discord.com/api/${'webhooks/'}123456789012345678/${letters(68)}`,
    'https://discord.com/api/webhooks/ID/TOKEN',
  ],
  ['Discord token', `MT${'Iz'}${letters(22)}.${letters(6)}.${letters(38)}`, 'MTIz.a.b'],
  ['Telegram token', `bot123456789${':AA'}${letters(33)}`, 'a:AAb'],
  ['Twilio key', `S${'K'}${hex(32)}`, 'SK12'],
  ['SendGrid key', `S${'G.'}${letters(22)}.${letters(43)}`, 'SG.a.b'],
  ['Mailgun key', `ke${'y-'}${hex(32)}`, 'key-value'],
  ['Mailchimp key', `${hex(32)}${'-us'}12`, 'en-us12'],
  ['Brevo key', `xkey${'sib-'}${hex(64)}-${letters(16)}`, 'xkeysib-x'],
  ['Stripe key', `sk_${'live_'}${letters(24)}`, 'sk_live_xxxxxxxxxxxxxxxxxxxxxxxx'],
  ['Stripe webhook secret', `wh${'sec_'}${letters(32)}`, 'whsec_x'],
  ['Square token', `sq0${'atp-'}${letters(22)}`, 'sq0atp-x'],
  ['Razorpay key', `rzp_${'live_'}${letters(14)}`, 'rzp_live_x'],
  ['Plaid token', `access-${'production-'}${uuid}`, 'access-production-key'],
  ['OpenAI key', `sk-${'proj-'}${letters(48)}`, 'sk-proj-x'],
  ['OpenAI key', `sk${'-'}${letters(20)}T3Blbk${'FJ'}${letters(20)}`, 'T3BlbkFJ'],
  ['Anthropic key', `sk-${'ant-'}api03-${letters(93)}`, 'sk-ant-api03-x'],
  ['Hugging Face token', `h${'f_'}${letters(34)}`, 'hf_model'],
  ['Replicate token', `r${'8_'}${letters(37)}`, 'r8_x'],
  ['Groq key', `gs${'k_'}${letters(52)}`, 'gsk_x'],
  ['xAI key', `xa${'i-'}${letters(80)}`, 'xai-x'],
  ['Perplexity key', `pp${'lx-'}${letters(48)}`, 'pplx-x'],
  ['OpenRouter key', `sk-or-${'v1-'}${hex(64)}`, 'sk-or-v1-x'],
  ['LangSmith key', `lsv2${'_'}pt_${hex(32)}_${hex(10)}`, 'lsv2_pt_x'],
  ['kitseal API key', `ks_${'key_'}${letters(22)}_${letters(49)}`, 'ks_key_x'],
  ['signed token (JWT)', `ey${'J'}${letters(20)}.ey${'J'}${letters(20)}.${letters(40)}`, 'eyJh.eyJz.x'],
  [
    'connection string with a password',
    `postgres${'://'}app:${letters(12)}@db.internal/app`,
    'postgres://app:<password>@db',
  ],
  [
    'connection string with a password',
    `https${'://'}ci:${letters(16)}@git.example.com/a.git`,
    'https://example.com:8443/a@b',
  ],
  [
    'connection string with a password',
    `jdbc:mysql://db/app?user=a&${'password='}${letters(12)}`,
    'jdbc:mysql://db/app?password=${DB}',
  ],
  [
    'password for a machine (.netrc)',
    `machine api.example.com login me ${'password'} ${letters(16)}`,
    'the machine needs a login and a password here',
  ],
  [
    'registry password (Docker)',
    `{"auths":{"r":{"${'auth'}":"${base64(`me:${letters(20)}`)}"}}}`,
    '{"auth":"none"}',
  ],
  [
    'authorization header',
    `{"name":"${'Authorization'}","value":"Bearer ${letters(40)}"}`,
    'Authorization: Bearer <token>',
  ],
  [
    'authorization header',
    `${'Authorization'}: Basic ${base64(`me:${letters(20)}1`)}`,
    'Authorization: Basic',
  ],
  ['session cookie', `{"name":"${'Cookie'}","value":"a=b; session_id=${letters(32)}"}`, 'Cookie: a=b'],
  ['token in a kubeconfig', `users:\n- user:\n    ${'token'}: ${letters(40)}`, '    token: none'],
]

const KEYS: readonly Row[] = [
  ['private key (PEM)', PEM, `-----BEGIN ${'PRIVATE KEY'}-----\n...\n`],
  ['private key (PuTTY)', `PuTTY-User-Key-${'File-2'}: ssh-rsa\nEncryption: none\n`, 'PuTTY-User-Key-File-2'],
  [
    'private key (age)',
    `AGE-SECRET-${'KEY-1'}${'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58)}`,
    'AGE-SECRET-KEY-1',
  ],
  ['private key (WireGuard)', `[Interface]\n${'PrivateKey'} = ${letters(42)}A=`, 'PrivateKey = <key>'],
  [
    'private key (JWK)',
    `{"kty":"OKP","crv":"Ed25519","${'d'}":"${letters(43)}","x":"${letters(43)}"}`,
    `{"d":"${letters(43)}"}`,
  ],
  [
    'private key (PEM in base64)',
    `client-key-data: ${base64(PEM)}`,
    `certificate: ${base64('-----BEGIN CERTIFICATE-----\n' + letters(200))}`,
  ],
]

const titlesIn = async (content: string): Promise<string> => {
  const { findings } = await examine({ 'a.txt': content })
  return findings
    .filter(({ code }) => code === 'possible_secret' || code === 'private_key')
    .map(({ message }) => message)
    .join(' ')
}

for (const [rows, kind] of [
  [SECRETS, 'secret'],
  [KEYS, 'private key'],
] as const)
  test(`each ${kind} of ${rows.length} is found, and what only looks like it is not`, async () => {
    const wrong: string[] = []
    for (const [title, secret, other] of rows) {
      const found = await titlesIn(`first line\nx = ${secret}\nlast line\n`)
      if (!found.includes(title)) wrong.push(`${title} is not found: ${found}`)
      if (found.includes(secret.slice(-12)) && secret.length > 40) wrong.push(`${title} is repeated`)
      const none = await titlesIn(`first line\nx = ${other}\nlast line\n`)
      if (none !== '') wrong.push(`${title} in ${other}: ${none}`)
    }
    assert.deepEqual(wrong, [])
  })

test('a secret in the text of a document, a workbook or a PDF is found', async () => {
  const token = `gh${'p_'}${letters(36)}`
  const page = `BT /F1 12 Tf 72 720 Td (token) Tj 0 -14 Td [(${token.slice(0, 10)}) -20 (${token.slice(10)})] TJ ET`
  const files = {
    'a.docx': openXml('docx', {
      'word/document.xml': `<w:document><w:p><w:t>the token ${token} works</w:t></w:p></w:document>`,
    }),
    'b.xlsx': openXml('xlsx', { 'xl/sharedStrings.xml': `<sst><si><t>${token}</t></si></sst>` }),
    'c.pdf': withObject('/Filter/FlateDecode', deflateSync(page)),
  }
  for (const [name, content] of Object.entries(files)) {
    const { blockers } = await examine({ [name]: content })
    assert.ok(
      blockers.some(({ code }) => code === 'possible_secret'),
      name,
    )
  }
})
