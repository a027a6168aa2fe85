import type { BinderInput } from './binder-input.ts'
import { qrCode } from './qr-code.ts'
import {
  ACCENT,
  BODY,
  CODE,
  COLUMN,
  NOTE,
  PAPER,
  SUBHEADING,
  TINT,
  openSection,
  type Layout,
  type Section,
  type Style,
} from './layout.ts'
import { escapeInvisible } from './escape-invisible.ts'

const QR_SIZE = 112
const BESIDE_QR = COLUMN.width - QR_SIZE - 24
const ADDRESS: Style = { ...CODE, colour: ACCENT }

export function drawHowToVerify(layout: Layout, { kitId, kid, verifyUrl }: BinderInput): Section {
  const section = openSection(layout, layout.t('binder.verify.title'))
  const top = drawBrowser(layout)
  drawAddress(layout, verifyUrl)
  drawQrCode(layout, verifyUrl, top - 14)
  layout.y = Math.max(layout.y, top + QR_SIZE) + 16
  layout.fixed('verify by command', () => drawCommands(layout))
  drawCode(layout, [`cd ${kitId}`, 'sha256sum --quiet --strict -c SHA256SUMS && echo "files: OK"'])
  layout.fixed('verify the key', () => drawKey(layout))
  drawCode(layout, [kid])
  return section
}

/** @returns where the first method starts */
function drawBrowser(layout: Layout): number {
  layout.fixed('verify', () => layout.paragraph(layout.t('binder.verify.lead'), BODY, { after: 20 }))
  const top = layout.y
  layout.fixed('verify in a browser', () => {
    heading(layout, layout.t('binder.verify.browser'))
    layout.paragraph(layout.t('binder.verify.browserText'), BODY, { width: BESIDE_QR, after: 4 })
  })
  return top
}

function drawCommands(layout: Layout): void {
  heading(layout, layout.t('binder.verify.command'))
  drawCode(layout, ['kitseal verify kit.zip --issuer ISSUER'])
  layout.paragraph(layout.t('binder.verify.commandText'), NOTE, { after: 22 })

  heading(layout, layout.t('binder.verify.byHand'))
  layout.paragraph(layout.t('binder.verify.byHandText'), BODY, { after: 6 })
}

function drawKey(layout: Layout): void {
  layout.y += 10
  heading(layout, layout.t('binder.verify.key'))
  layout.paragraph(layout.t('binder.verify.keyText'), BODY, { after: 6 })
}

const heading = (layout: Layout, text: string): void =>
  layout.paragraph(text, SUBHEADING, { role: 'H3', after: 2 })

function drawAddress(layout: Layout, address: string): void {
  const top = layout.y
  const isLink = /^https?:\/\//.test(address)
  layout.document.element(isLink ? 'Link' : 'P', () => {
    layout.page.content(() => {
      for (const line of layout.wrap(escapeInvisible(address), ADDRESS, BESIDE_QR)) {
        layout.write(line, ADDRESS, COLUMN.left, layout.y)
        layout.y += ADDRESS.leading
      }
    })
    if (!isLink) return
    const height = layout.y - top
    layout.page.link(address, { x: COLUMN.left, y: PAPER.height - layout.y + 4, width: BESIDE_QR, height })
  })
}

function drawQrCode(layout: Layout, address: string, top: number): void {
  const code = qrCode(address, COLUMN.right - QR_SIZE, PAPER.height - top - QR_SIZE, QR_SIZE)
  if (code === undefined) return
  layout.page.tagged('Figure', () => layout.page.draw(code), {
    alternative: layout.t('binder.verify.qrCode', { address }),
  })
}

function drawCode(layout: Layout, commands: readonly string[]): void {
  const lines = commands.flatMap((command) => layout.wrap(command, CODE, COLUMN.width - 24))
  layout.ensureSpace(lines.length * CODE.leading + 20)
  layout.page.artifact(() =>
    layout.fill(COLUMN.left, layout.y - 6, COLUMN.width, lines.length * CODE.leading + 13, TINT),
  )
  layout.y += 9
  layout.page.tagged('Code', () => {
    for (const line of lines) {
      layout.write(line, CODE, COLUMN.left + 12, layout.y)
      layout.y += CODE.leading
    }
  })
  layout.y += 12
}
