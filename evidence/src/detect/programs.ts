import { hex } from '@kitseal/kit'
import type { Finding } from '../rules.ts'
import { shellEndingOf } from './file-endings.ts'
import { utf8MarkBytes } from './text-encoding.ts'

/** Signatures in hex. */
const PROGRAMS: readonly (readonly [signature: string, title: string])[] = [
  ['7f454c46', 'a Linux program (ELF)'],
  ['feedface', 'a macOS program (Mach-O)'],
  ['feedfacf', 'a macOS program (Mach-O)'],
  ['cefaedfe', 'a macOS program (Mach-O)'],
  ['cffaedfe', 'a macOS program (Mach-O)'],
  ['cafebabe', 'a Java class or a macOS program'],
  ['6465780a30', 'an Android program (DEX)'],
  ['0061736d', 'a WebAssembly module'],
  ['4c0000000114020000000000c000000000000046', 'a Windows shortcut (LNK)'],
  ['1b4c7561', 'compiled Lua'],
  ['4243c0de', 'LLVM bitcode'],
  ['4954534603000000', 'a Windows help file that can run scripts (CHM)'],
  ['4954534602000000', 'a Windows help file that can run scripts (CHM)'],
  ['213c617263683e0a64656269616e', 'a Debian package'],
  ['edabeedb', 'an RPM package'],
]

const FIRST_BYTES = new Set(PROGRAMS.map(([signature]) => Number.parseInt(signature.slice(0, 2), 16)))

/** Names the kind of program that the content is, if it is one. */
export function programIn(head: Uint8Array): string | undefined {
  if (head[0] === 0x4d && head[1] === 0x5a && isWindowsProgram(head)) return 'a Windows program (EXE, DLL)'
  if (!FIRST_BYTES.has(head[0] ?? 0)) return undefined
  const start = hex(head.subarray(0, 24))
  return PROGRAMS.find(([signature]) => start.startsWith(signature))?.[1]
}

export function isProgram(head: Uint8Array): boolean {
  return programIn(head) !== undefined
}

/** Text can start with "MZ" as well; in a program, binary fields follow. */
function isWindowsProgram(head: Uint8Array): boolean {
  return head.subarray(2, 64).some((byte) => byte < 9)
}

/** Says why a text is a script, judging by its first line. */
export function scriptIn(head: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(head.subarray(utf8MarkBytes(head), 200))
  const line = start.split(/[\r\n]/, 1)[0] ?? ''
  if (/^#! ?\//.test(line)) return `the first line is ${line.slice(0, 60)}`
  if (/^\s*<\?php\b/i.test(line)) return 'it starts like PHP'
  if (/^\s*@echo off\b/i.test(line)) return 'it starts like a batch file'
  return undefined
}

/** Windows runs these by their name, whatever the content is. */
const RUN_BY_NAME = new Set(
  'exe dll scr pif msi msp mst cpl ocx drv lnk hta chm gadget xll msix appx'.split(' '),
)

/** Programs and packages, unless their content is text. */
const PROGRAM_ENDINGS = new Set(
  'com sys jar class war ear apk ipa dex appimage deb rpm dmg pkg app wasm so dylib elf run vsix crx xpi pyc pyo scpt efi ko'.split(
    ' ',
  ),
)

/** Finds names of programs. A text with such a name is only a text, unless the system runs it by its name. */
export function executableName(path: string, isText: boolean): Finding | undefined {
  if (/\.\{[\da-f-]{36}\}$/i.test(path)) {
    return { code: 'executable_content', detail: 'the name ends in a class ID, which Windows runs' }
  }
  const ending = shellEndingOf(path) ?? ''
  const runs = RUN_BY_NAME.has(ending) || (!isText && PROGRAM_ENDINGS.has(ending))
  return runs ? { code: 'executable_content', detail: `the name ends in .${ending}` } : undefined
}

const OPENED_AND_RUN =
  /\.(?:exe|scr|pif|msi|dll|cpl|lnk|hta|chm|bat|cmd|ps1|psm1|vbs|vbe|js|jse|wsf|wsh|reg|jar|sh|command|scpt|url|desktop|settingcontent-ms)$/i
const RUNNERS = /^(?:cmd|powershell|pwsh|wscript|cscript|mshta|rundll32|regsvr32|bash|sh)$/i

/** Whether the system runs a file with this name, or a script in it, when a document opens it. */
export function runsWhenOpened(name: string): boolean {
  return OPENED_AND_RUN.test(name) || RUNNERS.test(name)
}
