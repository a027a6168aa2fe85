'use strict'
/** Plugin of esbuild for bundles of the service: modules whose loading takes a tenth of a second at each start. */
exports.leanModules = {
  name: 'lean modules',
  setup: ({ onResolve, onLoad }) => {
    // An ES import of node:http reads all its exports, and one of them loads fetch.
    onResolve({ filter: /^node:https?$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'required' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require('${path}')`,
    }))
    // For WOFF2 files. The binder decompresses its fonts before it opens them with fontkit.
    onResolve({ filter: /^brotli\/decompress\.js$/ }, ({ path }) => ({ path, namespace: 'left out' }))
    onLoad({ filter: /.*/, namespace: 'left out' }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error('${path} is not part of this bundle') }`,
    }))
  },
}
