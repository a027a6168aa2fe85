interface Additions {
  /** Object 7 and the following. */
  readonly objects?: readonly string[]
  readonly catalog?: string
  readonly page?: string
  readonly resources?: string
  readonly drawing?: string
  readonly trailer?: string
}

/** A PDF of two pages with a text and a black rectangle each. */
export function pdfFile(more: Additions = {}): string {
  const drawing = `BT /F1 24 Tf 20 150 Td (Access review) Tj ET 0 g 50 50 100 80 re f ${more.drawing ?? ''}`
  const resources = `/Resources<<${more.resources?.includes('/Font') === true ? '' : '/Font<</F1 6 0 R>>'}${more.resources ?? ''}>>`
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 5 0 R${resources}${more.page ?? ''}>>`
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${more.catalog ?? ''}>>`,
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    page,
    page,
    `<</Length ${drawing.length}>>stream\n${drawing}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...(more.objects ?? []),
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((content, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${content}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<</Size ${size}/Root 1 0 R${more.trailer ?? ''}>>`
  return `${text}${table}${trailer}\nstartxref\n${text.length}\n%%EOF\n`
}

/** Runs scripts and loads `url` when it is opened or a page is shown, in readers that do so. */
export function hostilePdf(url: string): string {
  const script = `document.title = "pwned"; fetch\\("${url}fetch"\\); app.launchURL\\("${url}launch"\\)`
  const image = '/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray'
  return pdfFile({
    objects: [
      `<</S/JavaScript/JS(${script})>>`,
      `<</S/URI/URI(${url}link)>>`,
      `<<${image}/Length 0/F<</FS/URL/F(${url}image)>>>>stream\n\nendstream`,
    ],
    catalog: '/OpenAction 7 0 R/AA<</WC 7 0 R>>/Names<</JavaScript<</Names[(a) 7 0 R]>>>>',
    page: '/AA<</O 8 0 R>>/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 200 200]/A 8 0 R/AA<</PO 7 0 R>>>>]',
    resources: '/XObject<</I 9 0 R>>',
    drawing: '/I Do',
  })
}

/** Opens with no known password. */
export function lockedPdf(): string {
  const hash = `<${'5a'.repeat(32)}>`
  const encryption = `/Encrypt<</Filter/Standard/V 1/R 2/O${hash}/U${hash}/P -4>>`
  return pdfFile({ trailer: `${encryption}/ID[<${'01'.repeat(16)}><${'01'.repeat(16)}>]` })
}

/** Without pages, as after a broken transfer. */
export const DAMAGED_PDF = '%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n'
