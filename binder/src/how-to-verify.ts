import type { BinderInput } from './binder-input.ts'
import { qrCode } from './qr-code.ts'
import { openSection } from './section.ts'
import type { Section } from './section.ts'
import { BODY, CODE, COLUMN, NOTE, PAPER, SUBHEADING, TINT } from './sheet.ts'
import type { Sheet } from './sheet.ts'
import { visibleText } from './visible-text.ts'

const QR_SIZE = 112
const BESIDE_QR = COLUMN.width - QR_SIZE - 24

export function drawHowToVerify(sheet: Sheet, { kitId, kid, verifyUrl }: BinderInput): Section {
  const section = openSection(sheet, 'How to verify')
  sheet.paragraph(
    'Each way gives the same answer, PASS or FAIL. There is no partial PASS. Have the kit at hand: the file kit.zip, or ' +
      `the folder ${kitId} that comes out of it.`,
    BODY,
    { after: 20 },
  )

  const top = sheet.y
  heading(sheet, 'In a browser')
  sheet.paragraph(
    'Open verifier/index.html from the kit and drop the kit on the page. It works without a network, and nothing leaves ' +
      'your computer. The service has a page for this kit, which works in the same way, at this address:',
    BODY,
    { width: BESIDE_QR, after: 4 },
  )
  drawAddress(sheet, verifyUrl)
  drawQrCode(sheet, verifyUrl, top - 14)
  sheet.y = Math.max(sheet.y, top + QR_SIZE) + 16

  heading(sheet, 'With the kitseal tool')
  drawCode(sheet, [`kitseal verify kit.zip --kid ${kid}`])
  sheet.paragraph('Exit code 0 means PASS, 1 means FAIL, 2 means that the kit could not be read.', NOTE, {
    after: 22,
  })

  heading(sheet, 'By hand')
  sheet.paragraph(
    'VERIFY.md in the kit has every step as a line to run, with no tool of ours: sha256sum for the files and openssl for ' +
      'the signature. The first step, run inside the folder of the kit, checks every file:',
    BODY,
    { after: 6 },
  )
  drawCode(sheet, [`cd ${kitId}`, 'sha256sum --quiet --strict -c SHA256SUMS && echo "files: OK"'])
  sheet.y += 10

  heading(sheet, 'Whose key it is')
  sheet.paragraph(
    'Verification tells you that the owner of one key issued this kit. Whether that key is the issuer’s is for you to ' +
      'find out, once: ask the issuer for its key fingerprint, or look at the key set that it publishes under ' +
      '/.well-known/jwks.json, and compare. The copy of the key in the kit, and the fingerprint in this binder, cannot ' +
      'vouch for themselves.',
    BODY,
    { after: 6 },
  )
  drawCode(sheet, [kid])
  return section
}

const heading = (sheet: Sheet, text: string): void =>
  sheet.paragraph(text, SUBHEADING, { role: 'H3', after: 2 })

function drawAddress(sheet: Sheet, address: string): void {
  const top = sheet.y
  sheet.paragraph(visibleText(address), { ...CODE, colour: '0.07 0.25 0.42' }, { width: BESIDE_QR })
  if (!/^https?:\/\//.test(address)) return
  const height = sheet.y - top
  sheet.page.link(address, { x: COLUMN.left, y: PAPER.height - sheet.y + 4, width: BESIDE_QR, height })
}

function drawQrCode(sheet: Sheet, address: string, top: number): void {
  const code = qrCode(address, COLUMN.right - QR_SIZE, PAPER.height - top - QR_SIZE, QR_SIZE)
  if (code === undefined) return
  sheet.page.tagged('Figure', () => sheet.page.draw(code), `QR code of ${address}`)
}

function drawCode(sheet: Sheet, commands: readonly string[]): void {
  const lines = commands.flatMap((command) => sheet.wrap(command, CODE, COLUMN.width - 24))
  sheet.keep(lines.length * CODE.leading + 20)
  sheet.page.ornament(() =>
    sheet.fill(COLUMN.left, sheet.y - 6, COLUMN.width, lines.length * CODE.leading + 13, TINT),
  )
  sheet.y += 9
  sheet.page.tagged('Code', () => {
    for (const line of lines) {
      sheet.write(line, CODE, COLUMN.left + 12, sheet.y)
      sheet.y += CODE.leading
    }
  })
  sheet.y += 12
}
