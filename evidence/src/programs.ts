import { hex } from '@kitseal/kit'
import { utf8MarkBytes } from './text/text-bytes.ts'

/** Programs and scripts, told by their first bytes or by an ending that a system would run. */

interface Signature {
  readonly what: string
  readonly bytes: string
}

const PROGRAMS: readonly Signature[] = [
  { what: 'a Linux program (ELF)', bytes: '7f454c46' },
  { what: 'a macOS program (Mach-O)', bytes: 'feedface' },
  { what: 'a macOS program (Mach-O)', bytes: 'feedfacf' },
  { what: 'a macOS program (Mach-O)', bytes: 'cefaedfe' },
  { what: 'a macOS program (Mach-O)', bytes: 'cffaedfe' },
  { what: 'a Java class or a macOS program', bytes: 'cafebabe' },
  { what: 'an Android program (DEX)', bytes: '6465780a30' },
  { what: 'a WebAssembly module', bytes: '0061736d' },
  { what: 'a Windows shortcut (LNK)', bytes: '4c0000000114020000000000c000000000000046' },
  { what: 'compiled Lua', bytes: '1b4c7561' },
  { what: 'LLVM bitcode', bytes: '4243c0de' },
  { what: 'a Windows help file that can run scripts (CHM)', bytes: '4954534603000000' },
  { what: 'a Windows help file that can run scripts (CHM)', bytes: '4954534602000000' },
  { what: 'a Debian package', bytes: '213c617263683e0a64656269616e' },
  { what: 'an RPM package', bytes: 'edabeedb' },
]

const FIRST_BYTES = new Set(PROGRAMS.map(({ bytes }) => Number.parseInt(bytes.slice(0, 2), 16)))

/** What kind of program the first bytes are of, or undefined. */
export function programIn(head: Uint8Array): string | undefined {
  if (head[0] === 0x4d && head[1] === 0x5a && isWindowsProgram(head)) return 'a Windows program (EXE, DLL)'
  if (!FIRST_BYTES.has(head[0] ?? 0)) return undefined
  const start = hex(head.subarray(0, 24))
  return PROGRAMS.find(({ bytes }) => start.startsWith(bytes))?.what
}

/** "MZ" begins many texts; a program has binary fields behind it. */
function isWindowsProgram(head: Uint8Array): boolean {
  return head.subarray(2, 64).some((byte) => byte < 9)
}

/** What kind of script a text is by its first line, or undefined. */
export function scriptIn(head: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(head.subarray(utf8MarkBytes(head), 200))
  const line = start.split(/[\r\n]/, 1)[0] ?? ''
  if (/^#! ?\//.test(line)) return `its first line is ${line.slice(0, 60)}`
  if (/^\s*<\?php\b/i.test(line)) return 'it begins as PHP does'
  if (/^\s*@echo off\b/i.test(line)) return 'it begins as a batch file does'
  return undefined
}

const PROGRAM_ENDINGS = new Set(
  'exe dll com scr pif msi msp mst cpl sys drv ocx lnk jar class war ear apk ipa dex appimage deb rpm dmg pkg app wasm so dylib elf bin run hta chm gadget xll reg inf msix appx vsix crx xpi'.split(
    ' ',
  ),
)

const SCRIPT_ENDINGS = new Set(
  'js mjs cjs jse vbs vbe vb wsf wsh wsc ps1 psm1 psd1 ps1xml bat cmd sh bash zsh fish csh ksh command py pyc pyw pl pm rb php phtml lua tcl scpt applescript sct ahk groovy'.split(
    ' ',
  ),
)

export function isProgramEnding(ending: string | undefined): boolean {
  return ending !== undefined && PROGRAM_ENDINGS.has(ending)
}

export function isScriptEnding(ending: string | undefined): boolean {
  return ending !== undefined && SCRIPT_ENDINGS.has(ending)
}
