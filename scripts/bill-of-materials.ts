import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { NODE_BINARIES } from '../cli/node-binaries.ts'
import { lockedPackages, type LockedPackage, lockText } from './locked-packages.ts'

const root = path.dirname(import.meta.dirname)

interface Project {
  readonly name: string
  readonly version: string
  readonly license: string
}

/** A software bill of materials (CycloneDX 1.6): what package-lock.json pins, and each Node.js in an executable. */
export function bill(): object {
  const project = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Project
  const locked = lockedPackages()
  const packages = [...locked, ...otherNodes(locked)]
  const places = new Map(packages.map((each) => [each.place, each]))
  const self = `pkg:npm/${project.name}@${project.version}`
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(lockText())}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': self,
        name: project.name,
        version: project.version,
        licenses: [{ license: { id: project.license } }],
        purl: self,
      },
    },
    components: packages.map(component),
    dependencies: [
      { ref: self, dependsOn: packages.filter(({ place }) => isTop(place)).map(refOf) },
      ...packages.map((each) => ({ ref: refOf(each), dependsOn: dependenciesOf(each, places).map(refOf) })),
    ],
  }
}

/** Node.js of systems for which package-lock.json pins none. */
const otherNodes = (locked: readonly LockedPackage[]): readonly LockedPackage[] =>
  NODE_BINARIES.map(({ package: name, version, integrity }) => ({
    place: `node_modules/${name}`,
    name,
    version,
    licence: 'MIT',
    integrity,
    dev: false,
    optional: true,
    hasInstallScript: false,
    dependencies: [],
  })).filter(({ place }) => !locked.some((each) => each.place === place))

const isTop = (place: string): boolean => place.split('node_modules/').length === 2

/** Two copies of one package are two components. */
const refOf = ({ place, version }: LockedPackage): string => `${place}@${version}`

function component(each: LockedPackage): object {
  const { name, version, licence, integrity, dev, optional } = each
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return {
    type: 'library',
    'bom-ref': refOf(each),
    ...(group === undefined ? {} : { group }),
    name: short,
    version,
    scope: dev ? 'excluded' : optional ? 'optional' : 'required',
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') },
    ],
    licenses: [/ (AND|OR) /.test(licence) ? { expression: licence } : { license: { id: licence } }],
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  }
}

/** Looks in node_modules beside the package, then further up, as Node does. */
function dependenciesOf(
  each: LockedPackage,
  places: ReadonlyMap<string, LockedPackage>,
): readonly LockedPackage[] {
  return each.dependencies.flatMap((name) => {
    for (let at = `${each.place}/`; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/')))) {
      const found = places.get(`${at}node_modules/${name}`)
      if (found !== undefined) return [found]
      if (at === '') return []
    }
  })
}

/** A UUID derived from the content (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
