// Parses PDF files. The service sends this script with `default-src 'none'`: it can neither fetch nor import anything.
import 'pdfjs-dist/legacy/build/pdf.worker.min.mjs'
