import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { BOUNDARY, LONG_BOUNDARY } from '@kitseal/kit/internal'
import { binderInput, checkWithQpdf, evidence, sha256, textOf, manyFiles } from '../test/binder-fixture.ts'
import { needs } from '../../test/kit/needs.ts'
import { binderMaker } from './make-binder.ts'

const { make: makeBinder } = binderMaker()

const NAMES = [
  'data/policies/Άδεια λειτουργίας 2026.pdf',
  'data/policies/Политика безопасности.pdf',
  'data/policies/隐私政策.pdf',
  'data/policies/資訊安全政策（正式版）.pdf',
  'data/policies/セキュリティ方針 直近版.pdf',
  'data/policies/개인정보 처리방침.pdf',
  'data/hr/Łukasz Żółć – umowa Điều.pdf',
]

const COMPLEX_NAMES = [
  'data/تقرير المراجعة 2026 مُحَمَّد.pdf',
  'data/דוח ביקורת (סופי).pdf',
  'data/รายงานน้ำ.pdf',
  'data/हिन्दी रिपोर्ट.pdf',
  'data/👨\u200d👩\u200d👧🇩🇪❤\ufe0f.pdf',
  'data/𐎀𐎁 தமிழ்.pdf',
]

test('the same input gives the same bytes, also in another process and on later calls', async () => {
  const files = [...NAMES, ...COMPLEX_NAMES].map((name) => evidence(name))
  const input = binderInput({ scope: 'Ω and Å تقرير', files })
  // Loads lookalike characters (ohm and omega, angstrom and ring) first, which the other process does not.
  await makeBinder(
    binderInput({
      scope: '\u2126 \u212b 直 骨',
      files: ['ひらがな 直 骨', 'يتقر', 'न्दीहि', '👨🇩🇫', 'น้ำ', '𐎁'].map((name) =>
        evidence(`data/${name}.pdf`),
      ),
    }),
  )
  const here = [sha256(await makeBinder(input)), sha256(await makeBinder(input))]
  assert.equal(here[0], here[1])
  assert.equal(await hashInAnotherProcess(input), here[0])
})

test('binders created concurrently do not affect each other', async () => {
  const inputs = [...NAMES, ...COMPLEX_NAMES].map((name) =>
    binderInput({ scope: name, files: [evidence(name)] }),
  )
  const alone: string[] = []
  for (const input of inputs) alone.push(sha256(await makeBinder(input)))
  const together = await Promise.all(inputs.map(async (input) => sha256(await makeBinder(input))))
  assert.deepEqual(together, alone)
})

test('every input value is part of the binder', async () => {
  const plain = sha256(await makeBinder(binderInput()))
  const changes = [
    { kitId: 'kit_other' },
    { jobId: 'job_other' },
    { scope: 'Other' },
    { issuer: 'https://other.example' },
    { kid: 'other' },
    { issuedAt: '2026-11-15T03:07:50.124Z' },
    { receiptVersion: 'other' },
    { verifyUrl: 'https://other.example/verify' },
    { supplier: { workspace_id: 'ws_1', name: 'Acme' } },
    { workspace: 'Acme' },
    { label: 'Q4' },
    { profile: 'vendor' },
    { replacesKitId: 'kit_other' },
  ]
  for (const change of changes) {
    assert.notEqual(sha256(await makeBinder(binderInput(change))), plain, JSON.stringify(change))
  }
})

test('the extracted text contains every fact, hash and name', needs('pdftotext'), async () => {
  const files = NAMES.map((name, index) => evidence(name, 'application/pdf', 1_000_000 + index))
  const text = await textOf(
    await makeBinder(
      binderInput({
        files,
        workspace: 'Acme GmbH',
        label: 'Q4, second try',
        profile: 'vendor',
        replacesKitId: 'kit_Old',
      }),
    ),
  )
  const expected = [
    'Vendor onboarding 2026',
    'kit_4p7QmZ2vX9sLw0RkTyBn3A',
    'job_8hJc1VfUe6DgNq5PiKoMzQ',
    'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    'https://seal.example.com',
    'https://seal.example.com/verify',
    '15 November 2026, 03:07:50 UTC',
    '2026-11-15T03:07:50.123Z',
    'Acme GmbH',
    'Q4, second try',
    'kit_Old',
    'FES-1.0-preview',
    '7 files, 7.0 MB (7,000,021 bytes)',
    'kitseal verify kit.zip --issuer ISSUER',
    ...files.map((file) => file.sha256),
    ...files.map((file) => file.path.split('/').at(-1) ?? ''),
  ]
  for (const part of expected) assert.ok(text.includes(part), `not found: ${part}`)
})

test(
  'what is verified and what is stated have different headings, words and marks',
  needs('pdftotext'),
  async () => {
    const provenance = [
      {
        paths: 'all files',
        source: 'ci_token',
        statement: 'verified',
        issuer: 'https://token.example',
        repository: 'acme/app',
      },
      { paths: ['data/a.csv'], source: 'supplier', statement: 'stated', collector: { name: 'Prowler' } },
      {
        paths: ['data/b.json'],
        source: 'recognised',
        statement: 'stated',
        format: 'x',
        counts: [],
        summary: 'Trivy 1',
      },
    ] as const
    const text = await textOf(await makeBinder(binderInput({ provenance })))
    const words = text.slice(text.lastIndexOf('Verified is only what')).replaceAll(/\s+/g, ' ')
    assert.match(
      words,
      /Verified by seal\.example\.com verified CI token of https:\/\/token\.example · repository "acme\/app" All files/,
    )
    assert.match(words, /Stated by the supplier, not verified stated collected with "Prowler" data\/a\.csv/)
    assert.match(words, /Stated by the files, not verified stated "Trivy 1" data\/b\.json/)
    assert.doesNotMatch(await textOf(await makeBinder(binderInput({}))), /Where the evidence came from/)
  },
)

test('a table names the files of each item, and why there are none', needs('pdftotext'), async () => {
  const items = [
    { id: 'CC6.1', title: 'List of users', files: ['data/CC6.1/users.csv', 'data/CC6.1/admins.csv'] },
    { id: 'CC6.2', title: 'Approvals', files: [], note: 'Not applicable: Access is approved by contract.' },
    { id: 'CC6.3', title: 'Reviews', files: [] },
  ]
  const text = await textOf(await makeBinder(binderInput({ items })))
  const words = text.slice(text.lastIndexOf('The items that were asked for')).replaceAll(/\s+/g, ' ')
  assert.match(words, /CC6\.1 List of users.*data\/CC6\.1\/users\.csv.*data\/CC6\.1\/admins\.csv/)
  assert.match(words, /CC6\.2 Approvals.*Access is approved by contract.*CC6\.3 Reviews.*No files/)
  assert.doesNotMatch(await textOf(await makeBinder(binderInput({}))), /The items that were asked for/)
})

test('no command in the binder trusts the key that the binder names', needs('pdftotext'), async () => {
  const commands = (await textOf(await makeBinder(binderInput()))).match(/kitseal verify .*/g)
  assert.deepEqual(commands, ['kitseal verify kit.zip --issuer ISSUER'])
})

test(
  'text extraction preserves names in complex scripts, right-to-left scripts and missing glyphs',
  needs('pdftotext'),
  async () => {
    const names = ['हिन्दी रिपोर्ट', 'דוח ביקורת', 'تقرير المراجعة', 'รายงานการตรวจสอบ', 'தமிழ்']
    const text = await textOf(
      await makeBinder(binderInput({ files: names.map((name) => evidence(`data/${name}.pdf`)) })),
    )
    for (const name of names) assert.ok(text.includes(name), name)
  },
)

test(
  'the cover counts the supplied files only; reports are listed in the inventory',
  needs('pdftotext'),
  async () => {
    const files = [evidence('data/a.pdf', 'application/pdf', 1000), evidence('reports/intake_report.json')]
    const [cover, ...others] = (await textOf(await makeBinder(binderInput({ files })))).split('\f')
    assert.match(cover ?? '', /Evidence +1 file, 1\.0 KB \(1,000 bytes\)/)
    assert.match(others.join(''), /2 files in 2 folders/)
  },
)

test(
  'the cover names the supplier, and who named it; without a supplier the row is absent',
  needs('pdftotext'),
  async () => {
    const named = await coverOf({ supplier: { workspace_id: 'ws_1', name: 'Acme GmbH' } })
    assert.match(named, /Supplier \(named in +Acme GmbH\s+the kit\)/)
    for (const supplier of [undefined, null]) {
      assert.doesNotMatch(await coverOf(supplier === undefined ? {} : { supplier }), /Supplier/)
    }
  },
)

test(
  'the cover of a kit from open intake says that the caller is anonymous, and names no supplier',
  needs('pdftotext'),
  async () => {
    const cover = (await coverOf({ supplier: null, isAnonymous: true })).replaceAll(/\s+/g, ' ')
    assert.match(
      cover,
      /Caller Anonymous caller\. The name is the caller's own text\. No files were supplied\./,
    )
    assert.doesNotMatch(cover, /Supplier/)
    assert.doesNotMatch(await coverOf({ supplier: null }), /Anonymous/)
  },
)

test(
  'the cover of a kit of a request names the requester, and says that the supplier is not verified',
  needs('pdftotext'),
  async () => {
    const requestedBy = { workspace_id: 'ws_1', name: 'Acme GmbH' }
    const cover = await coverOf({ supplier: null, requestedBy })
    assert.match(cover, /Supplier +Someone with the link of a request \(not verified\)/)
    assert.match(cover, /Requester \(named in +Acme GmbH\s+the kit\)/)
    assert.doesNotMatch(cover, /Supplier \(named/)
  },
)

test('a long cover continues on the next page', needs('pdftotext'), async () => {
  for (const letter of ['\u202e', '很']) {
    const long = letter.repeat(200)
    const text = await textOf(
      await makeBinder(binderInput({ scope: long, label: long, workspace: long, profile: 'vendor' })),
    )
    const pages = text.split('\f')
    const listedAt = pages.findIndex((page) => page.includes('Contents'))
    assert.match(pages.slice(0, listedAt + 1).join(''), /Profile +vendor\s+Evidence +1 file.*\s+Format +FES/)
    for (const [, title = '', page] of pages[listedAt]?.matchAll(
      /(What this|How to|Inventory).*page (\d+)/g,
    ) ?? [])
      assert.ok(pages[Number(page) - 1]?.includes(title), title)
    // The footer is the last text on the page.
    for (const page of pages.slice(0, listedAt)) assert.match(page.trimEnd(), /\d+ *\/ *\d+$/)
  }
})

test(
  'every page has the short boundary and its page number; the long boundary appears once',
  needs('pdftotext'),
  async () => {
    const text = await textOf(await makeBinder(binderInput({ files: manyFiles(100) })))
    const pages = text.split('\f').filter((page) => page !== '')
    for (const [index, page] of pages.entries()) {
      assert.ok(page.includes(BOUNDARY))
      assert.match(page, new RegExp(`\\b${index + 1} */ *${pages.length}\\b`))
    }
    const flat = text.replaceAll(/\s+/g, ' ')
    assert.equal(flat.split(LONG_BOUNDARY).length - 1, 1)
  },
)

test(
  'invisible characters are escaped, and no character makes the binder fail',
  needs('pdftotext'),
  async () => {
    const lone = String.fromCharCode(0xd800)
    const hostile = [
      'data/invoice\u202Efdp.exe.pdf',
      'data/zero\u200Bwidth.pdf',
      'data/bell\u0007.pdf',
      `data/lone ${lone}.pdf`,
      'data/) Tj ET <<(x)>> \\ endstream.pdf',
      'data/سياسة שלום ไทย 🔐 \u{10ffff}.pdf',
      `data/${'very long name '.repeat(68)}.pdf`,
      `data/${'無'.repeat(300)}.pdf`,
      `data/${'a\u0301\u0323'.repeat(80)}.pdf`,
      'no folder.pdf',
    ]
    const input = {
      files: hostile.map((name) => evidence(name)),
      scope: `${'\n\u202E'.repeat(100)}`,
      label: '\u0000',
    }
    const text = await textOf(await makeBinder(binderInput(input)))
    const shown = [
      'invoice‹U+202E›fdp.exe.pdf',
      'zero‹U+200B›width.pdf',
      'bell‹U+0007›.pdf',
      'lone ‹U+D800›.pdf',
      ') Tj ET <<(x)>> \\ endstream.pdf',
      'A box with digits stands for a character',
      '(top folder)',
    ]
    for (const part of shown) assert.ok(text.includes(part), `not found: ${part}`)
    assert.ok(text.replaceAll(/\s+/g, '').includes('‹U+000A›‹U+202E›'.repeat(100)))
  },
)

test('a name that is taller than a page continues on the next', needs('pdftotext'), async () => {
  const name = Array.from({ length: 4000 }, (_, at) => `w${at}`).join('-')
  const text = await textOf(await makeBinder(binderInput({ files: [evidence(`data/${name}`)] })))
  assert.ok(text.replaceAll(/\s+|Integrity.*\n|Evidence binder.*\n/g, '').includes('w0-w1-w2-'))
  for (const at of [0, 1000, 2000, 3999]) assert.match(text, new RegExp(`\\bw${at}\\b`))
  // The footer is the last text on the page.
  for (const page of text.split('\f').slice(0, -1)) assert.match(page.trimEnd(), /\d+ *\/ *\d+$/)
})

test('names of thousands of letters, marks or emoji give a binder', async () => {
  for (const part of [
    'بَّ',
    'क्षि',
    'a\u0301\u0302',
    '👨\u200d👩',
    'น้ำ',
    'א(',
    '\u200c',
    '🏴\u{e0067}',
    '‹U+'.repeat(2),
  ]) {
    const input = binderInput({ scope: part.repeat(100), files: [evidence(`data/${part.repeat(500)}`)] })
    assert.ok((await makeBinder(input)).length > 0, part)
  }
})

test('a kit without files has a binder', async () => {
  assert.ok((await makeBinder(binderInput({ files: [] }))).length > 0)
})

test('the file is valid PDF', needs('qpdf'), async () => {
  const files = [...NAMES.map((name) => evidence(name)), ...manyFiles(300)]
  assert.match(
    await checkWithQpdf(await makeBinder(binderInput({ files }))),
    /No syntax or stream encoding errors/,
  )
})

const coverOf = async (changes: Parameters<typeof binderInput>[0]): Promise<string> =>
  (await textOf(await makeBinder(binderInput(changes)))).split('\f')[0] ?? ''

async function hashInAnotherProcess(input: ReturnType<typeof binderInput>): Promise<string> {
  const program = `
    import { binderMaker } from './make-binder.ts'
    import { sha256 } from '../test/binder-fixture.ts'
    const input = { ...JSON.parse(process.argv[1]), images: async () => undefined }
    console.log(sha256(await binderMaker().make(input)))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program, JSON.stringify(input)],
    { cwd: path.resolve(import.meta.dirname) },
  )
  return stdout.trim()
}

test(
  'equal findings are listed once, with their number and the first files',
  needs('pdftotext'),
  async () => {
    const paths = Array.from({ length: 150 }, (_, index) => `empty/${index}.txt`)
    const findings = [
      { paths, message: 'The file is empty.', acknowledged: false },
      { paths: [], message: 'An item has no files.', acknowledged: true },
    ]
    const text = await textOf(await makeBinder(binderInput({ findings })))
    assert.match(text, /noticed 151 things/)
    assert.match(text, /150 files:\s+empty\/0\.txt[^]*empty\/4\.txt\s+and 145 more\s+The file is empty\./)
    assert.doesNotMatch(text, /empty\/5\.txt/)
    assert.match(text, /All files\s+An item has no files\./)
  },
)
