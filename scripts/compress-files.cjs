'use strict'
// Writes NAME.br and NAME.gz beside each text file of a folder, at the highest compression level (`best`) or
// a fast one (`quick`).
const fs = require('fs')
const path = require('path')
const zlib = require('zlib')

const TEXT = /\.(html|js|css|svg|json|wasm)$/
const WORTH_IT_BYTES = 1024
const BROTLI_QUALITY = { quick: 7, best: 11 }

const [folderToCompress, level] = process.argv.slice(2)

function compressFolder(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) compressFolder(file)
    else if (TEXT.test(entry.name)) compressFile(file)
  }
}

function compressFile(file) {
  const content = fs.readFileSync(file)
  if (content.length < WORTH_IT_BYTES) return
  fs.writeFileSync(file + '.gz', zlib.gzipSync(content, { level: 9 }))
  const params = {
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[level],
  }
  fs.writeFileSync(file + '.br', zlib.brotliCompressSync(content, { params }))
}

compressFolder(folderToCompress)
