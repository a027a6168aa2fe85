/** What the name of a file says about it. */
export interface NamedType {
  readonly id: string
  readonly title: string
  readonly mediaType: string
  /** File name extensions. */
  readonly endings: readonly string[]
  readonly content: Content
  /** A script or source code. */
  readonly isCode?: true
  /** A ZIP archive whose parts are searched like those of a document. */
  readonly isPackage?: true
}

export type Content = 'pdf' | 'png' | 'jpeg' | 'tiff' | 'zip' | 'compound' | 'program' | 'text' | 'binary'

/**
 * Types that have a name and no check of their own structure. A row: id, title, media type, extensions. Text is examined as
 * text; the last column says how it is read.
 */
export const TEXT_TYPES = `
sarif      | SARIF scan results            | application/sarif+json        | sarif
har        | HTTP archive (HAR)            | application/json              | har
geojson    | GeoJSON map data              | application/geo+json          | geojson
ipynb      | Jupyter notebook              | application/x-ipynb+json      | ipynb
tfstate    | Terraform state               | application/json              | tfstate
jsonc      | JSON with comments            | application/json              | jsonc json5 hjson
jsonld     | JSON-LD                       | application/ld+json           | jsonld
intoto     | in-toto attestation           | application/vnd.in-toto+json  | intoto dsse sigstore
nessus     | Nessus scan results           | application/xml               | nessus | xml
xsd        | XML schema or style sheet     | application/xml               | xsd xsl xslt dtd rng | xml
wsdl       | web service description       | application/wsdl+xml          | wsdl wadl | xml
rss        | news feed                     | application/rss+xml           | rss atom | xml
kml        | map data (KML, GPX)           | application/vnd.google-earth.kml+xml | kml gpx | xml
msbuild    | .NET project or settings      | application/xml               | csproj vbproj fsproj vcxproj proj props targets nuspec resx config admx adml | xml
drawio     | draw.io diagram               | application/vnd.jgraph.mxfile | drawio dio | xml
plist      | property list                 | application/x-plist           | plist mobileconfig entitlements | xml
bpmn       | process model (BPMN)          | application/bpmn+xml          | bpmn dmn xmi archimate | xml
toml       | TOML settings                 | application/toml              | toml
ini        | settings                      | text/plain                    | ini cfg cnf conf properties prefs editorconfig desktop
env        | environment settings          | text/plain                    | env envrc
terraform  | Terraform configuration       | text/plain                    | tf tfvars hcl
sql        | SQL                           | application/sql               | sql ddl dml psql
patch      | patch                         | text/x-diff                   | patch diff rej
ics        | calendar                      | text/calendar                 | ics ical ifb
contact    | Windows contact               | application/xml               | contact | xml
vcf        | contact card                  | text/vcard                    | vcf vcard
pem        | certificate or key (PEM)      | application/x-pem-file        | pem crt cer csr key pub ppk p7b p7s p7m
asc        | OpenPGP text                  | application/pgp-signature     | asc gpg pgp
signature  | detached signature            | application/pgp-signature     | sig minisig
checksums  | checksums                     | text/plain                    | md5 md5sum sha1 sha1sum sha512 sha512sum sha384 sum sfv
rst        | structured text               | text/x-rst                    | rst adoc asciidoc textile org wiki mediawiki creole pod
tex        | LaTeX document                | application/x-tex             | tex sty cls bib bst
srt        | subtitles                     | application/x-subrip          | srt vtt sub ass
po         | translations                  | text/x-gettext-translation    | po pot xlf xliff strings
ldif       | directory export (LDIF)       | text/x-ldif                   | ldif ldf
rego       | policy (Rego)                 | text/plain                    | rego cedar sentinel
yara       | detection rules               | text/plain                    | yar yara rules suricata snort
proto      | interface description         | text/plain                    | proto thrift idl avdl graphql gql asn1 asn raml
diagram    | text diagram                  | text/plain                    | puml plantuml mmd gv dsl
gherkin    | test scenarios (Gherkin)      | text/plain                    | feature
build      | build file                    | text/plain                    | mk mak cmake gradle bazel bzl ninja dockerfile containerfile nix meson
unit       | systemd unit                  | text/plain                    | service timer socket mount target
lock       | dependency list               | text/plain                    | lock lockfile mod
spdx       | software bill of materials    | text/spdx                     | spdx
nmap       | Nmap scan results             | text/plain                    | nmap gnmap
trace      | program output                | text/plain                    | out err trace stdout stderr console
data       | data in text                  | text/plain                    | dat psv lst list
css        | style sheet                   | text/css                      | css scss sass less
template   | text template                 | text/plain                    | tmpl tpl j2 jinja jinja2 mustache hbs erb ejs liquid template example sample dist
dxf        | CAD drawing (DXF)             | image/vnd.dxf                 | dxf
cad        | CAD model (STEP, IGES)        | model/step                    | step stp iges igs
model3d    | 3D model in text              | model/obj                     | stl obj ply gltf
mht        | saved web page                | multipart/related             | mht mhtml | mail
mbox       | mailbox                       | application/mbox              | mbox mbx | mail
ps         | PostScript                    | application/postscript        | ps eps
`

/** Source code and scripts. They are accepted, and the report says so. */
export const CODE_TYPES = `
javascript | JavaScript or TypeScript      | text/javascript               | js mjs cjs jse jsx ts tsx mts cts vue svelte
python     | Python                        | text/x-python                 | py pyw pyi
shell      | shell script                  | application/x-sh              | sh bash zsh fish csh ksh command awk sed bats
powershell | PowerShell                    | text/plain                    | ps1 psm1 psd1 ps1xml
batch      | Windows batch file            | text/plain                    | bat cmd btm
vbscript   | Visual Basic                  | text/plain                    | vbs vbe vb bas frm wsf wsh wsc sct
registry   | Windows registry or setup file | text/plain                   | reg inf scf url settingcontent-ms
launcher   | file that opens or runs something | text/plain              | msc rdp application jnlp search-ms library-ms searchconnector-ms wsb inetloc fileloc webloc terminal appref-ms xnk udl iqy oqy dqy rqy ica website theme appinstaller osdx psc1 xbap
ruby       | Ruby                          | text/x-ruby                   | rb rake gemspec
perl       | Perl                          | text/x-perl                   | pl pm t
php        | PHP                           | application/x-httpd-php       | php phtml inc
lua        | Lua                           | text/x-lua                    | lua nse
tcl        | Tcl                           | text/x-tcl                    | tcl exp
groovy     | Groovy                        | text/x-groovy                 | groovy jenkinsfile
java       | Java or Kotlin                | text/x-java                   | java kt kts scala clj jsp
c          | C or C++                      | text/x-c                      | c h cc cpp cxx hpp hxx hh ino
csharp     | C# or F#                      | text/x-csharp                 | cs fs fsx cshtml razor aspx ascx asp
go         | Go                            | text/x-go                     | go
rust       | Rust                          | text/x-rust                   | rs
swift      | Swift or Objective-C          | text/x-swift                  | swift mm
r          | R                             | text/x-r                      | r rmd
sas        | statistics program            | text/plain                    | sas do ado sps stan jl
solidity   | smart contract                | text/plain                    | sol vy move cairo
assembly   | assembly                      | text/x-asm                    | asm s nasm
haskell    | functional language           | text/plain                    | hs lhs ml mli erl hrl ex exs elm rkt scm lisp el cljs edn
other-code | source code                   | text/plain                    | dart pas pp cr nim zig d f f90 f95 for cob cbl abap ahk applescript coffee v vhd vhdl sv apex trigger cue jsonnet libsonnet bicep
`

/** Binary types. A row ends with signatures in hex, each `OFFSET:HEX` or `HEX`. Without one, the extension names it. */
export const BINARY_TYPES = `
gif        | GIF image                     | image/gif                     | gif | 474946383761 474946383961
webp       | WebP image                    | image/webp                    | webp | 8:57454250
heic       | HEIC image                    | image/heic                    | heic heif hif | 4:6674797068656963 4:6674797068656978 4:667479706d696631 4:667479706d736631 4:6674797068657663
avif       | AVIF image                    | image/avif                    | avif | 4:6674797061766966
bmp        | bitmap image                  | image/bmp                     | bmp dib |
ico        | icon                          | image/vnd.microsoft.icon      | ico cur | 00000100 00000200
psd        | Photoshop image               | image/vnd.adobe.photoshop     | psd psb | 38425053
jp2        | JPEG 2000 image               | image/jp2                     | jp2 j2k jpx jpf | 0000000c6a5020200d0a870a
jxl        | JPEG XL image                 | image/jxl                     | jxl | ff0a 0000000c4a584c20
raw        | camera raw image              | image/x-dcraw                 | dng cr2 cr3 nef arw orf rw2 raf |
emf        | Windows drawing               | image/emf                     | emf wmf | d7cdc69a
xcf        | GIMP image                    | image/x-xcf                   | xcf | 67696d7020786366
mp4        | MP4 video                     | video/mp4                     | mp4 m4v | 4:6674797069736f6d 4:667479706d703432 4:6674797061766331 4:667479706d703431 4:6674797069736f32
mov        | QuickTime video               | video/quicktime               | mov qt | 4:6674797071742020
3gp        | mobile video                  | video/3gpp                    | 3gp 3g2 | 4:66747970336770
m4a        | MPEG-4 audio                  | audio/mp4                     | m4a m4b | 4:667479704d3441
avi        | AVI video                     | video/x-msvideo               | avi | 8:41564920
mkv        | Matroska or WebM video        | video/x-matroska              | mkv webm mka | 1a45dfa3
wmv        | Windows Media file            | video/x-ms-asf                | wmv wma asf | 3026b2758e66cf11
flv        | Flash video                   | video/x-flv                   | flv | 464c5601
mpeg       | MPEG video                    | video/mpeg                    | mpg mpeg vob m2ts | 000001ba 000001b3
mp3        | MP3 audio                     | audio/mpeg                    | mp3 | 494433
wav        | WAV audio                     | audio/wav                     | wav | 8:57415645
flac       | FLAC audio                    | audio/flac                    | flac | 664c6143
ogg        | Ogg audio or video            | audio/ogg                     | ogg oga ogv opus spx | 4f676753
aiff       | AIFF audio                    | audio/aiff                    | aif aiff aifc | 8:41494646
amr        | AMR audio                     | audio/amr                     | amr | 2321414d52
aac        | AAC audio                     | audio/aac                     | aac | fff1 fff9
midi       | MIDI music                    | audio/midi                    | mid midi | 4d546864
7z         | 7-Zip archive                 | application/x-7z-compressed   | 7z | 377abcaf271c
rar        | RAR archive                   | application/vnd.rar           | rar | 526172211a07
bz2        | bzip2 file                    | application/x-bzip2           | bz2 tbz2 tbz | 425a68
xz         | xz file                       | application/x-xz              | xz txz | fd377a585a00
zst        | Zstandard file                | application/zstd              | zst tzst | 28b52ffd
lz4        | LZ4 file                      | application/x-lz4             | lz4 | 04224d18
lzip       | lzip or LZMA file             | application/x-lzip            | lz lzma | 4c5a4950
compress   | compress file                 | application/x-compress        | z | 1f9d 1fa0
cab        | Windows cabinet archive       | application/vnd.ms-cab-compressed | cab | 4d534346
arj        | old archive (ARJ, LHA, ACE)   | application/x-arj             | arj lha lzh ace | 60ea
iso        | disc image                    | application/x-iso9660-image   | iso img | 32769:4344303031
vmdk       | virtual disk                  | application/x-vmdk            | vmdk vhd vhdx qcow2 vdi e01 aff4 | 4b444d56 514649fb 7668647866696c65 455646090d0aff00
cpio       | cpio or ar archive            | application/x-cpio            | cpio ar a | 303730373037 303730373031 213c617263683e0a
sqlite     | SQLite database               | application/vnd.sqlite3       | sqlite sqlite3 db db3 | 53514c69746520666f726d6174203300
access     | Access database               | application/vnd.ms-access     | mdb accdb | 000100005374616e64617264
dbf        | dBase table                   | application/vnd.dbf           | dbf |
parquet    | Parquet table                 | application/vnd.apache.parquet | parquet | 50415231
avro       | Avro data                     | application/avro              | avro | 4f626a01
orc        | ORC table                     | application/vnd.apache.orc    | orc | 4f5243
arrow      | Arrow table                   | application/vnd.apache.arrow.file | arrow feather | 4152524f5731
hdf5       | HDF5 data                     | application/x-hdf5            | h5 hdf5 hdf | 894844460d0a1a0a
npy        | NumPy array                   | application/octet-stream      | npy | 934e554d5059
rdata      | R data                        | application/octet-stream      | rdata rda rds |
stata      | statistics data               | application/octet-stream      | dta sav sas7bdat xpt |
pcap       | network capture               | application/vnd.tcpdump.pcap  | pcap cap | d4c3b2a1 a1b2c3d4 4d3cb2a1 a1b23c4d
pcapng     | network capture               | application/x-pcapng          | pcapng ntar | 0a0d0d0a
evtx       | Windows event log             | application/x-ms-evtx         | evtx | 456c6646696c6500
evt        | old Windows event log         | application/octet-stream      | evt | 300000004c664c65
etl        | Windows trace log             | application/octet-stream      | etl |
hive       | Windows registry hive         | application/octet-stream      | hive hiv | 72656766
prefetch   | Windows prefetch file         | application/octet-stream      | pf | 4:53434341 4d414d04
journal    | systemd journal               | application/octet-stream      | journal | 4c504b5348485248
minidump   | crash or memory dump          | application/octet-stream      | dmp mdmp mem lime vmem | 4d444d50 50414745 454d694c
pst        | Outlook mailbox               | application/vnd.ms-outlook-pst | pst ost | 2142444e
bplist     | property list                 | application/x-plist           | plist | 62706c697374
crl        | certificate or revocation list (DER) | application/pkix-cert  | cer crt der crl csr |
pkcs7      | PKCS#7 signature or certificates | application/pkcs7-mime     | p7b p7c p7s p7m spc |
tsr        | time-stamp                    | application/timestamp-reply   | tsr tsq tst |
ots        | OpenTimestamps proof          | application/vnd.opentimestamps.v1 | ots | 004f70656e54696d657374616d7073
sig        | detached signature            | application/pgp-signature     | sig minisig |
gpg        | OpenPGP file                  | application/pgp-encrypted     | gpg pgp |
age        | age encrypted file            | application/octet-stream      | age | 6167652d656e6372797074696f6e2e6f7267
kdbx       | password database             | application/octet-stream      | kdbx kdb | 03d9a29a
ttf        | font                          | font/sfnt                     | ttf otf ttc woff woff2 eot | 0001000000 4f54544f 774f4646 774f4632 74746366
dwg        | AutoCAD drawing               | image/vnd.dwg                 | dwg | 41433130
stl        | 3D model                      | model/stl                     | stl obj glb gltf 3ds fbx blend | 676c5446 424c454e444552
shp        | map shapes                    | application/octet-stream      | shp shx sbn | 0000270a
djvu       | DjVu document                 | image/vnd.djvu                | djvu djv | 41542654464f524d
mobi       | e-book                        | application/x-mobipocket-ebook | mobi azw azw3 prc | 60:424f4f4b4d4f4249
model      | machine learning model        | application/octet-stream      | onnx pt pth pkl joblib safetensors gguf tflite | 47475546
mo         | compiled translations         | application/octet-stream      | mo gmo | de120495 950412de
git        | Git bundle or pack            | application/octet-stream      | pack bundle | 5041434b 2320763220676974
mso        | objects of a saved document   | application/x-mso             | mso | 4163746976654d696d65
tnef       | Outlook attachments (winmail.dat) | application/vnd.ms-tnef | tnef | 789f3e22
onenote    | OneNote section               | application/onenote           | one onetoc2 | e4525c7b8cd8a74d
dicom      | medical image (DICOM)         | application/dicom             | dcm dicom | 128:4449434d
nifti      | medical image (NIfTI)         | application/octet-stream      | nii |
fits       | astronomy data                | application/fits              | fits fit | 53494d504c4520203d
bin        | binary data                   | application/octet-stream      | bin blob dat |
`

/** ZIP archives with another extension. Their parts are searched like those of a document. */
export const PACKAGE_TYPES = `
xlsb       | binary Excel workbook         | application/vnd.ms-excel.sheet.binary.macroenabled.12 | xlsb
vsdx       | Visio drawing                 | application/vnd.ms-visio.drawing.main+xml | vsdx vstx vssx
ooxml      | Office Open XML file          | application/zip               | dotx xltx potx ppsx sldx thmx docm xlsm pptm dotm xltm potm ppsm
odp        | OpenDocument presentation     | application/vnd.oasis.opendocument.presentation | odp
odg        | OpenDocument drawing          | application/vnd.oasis.opendocument.graphics | odg
odf        | OpenDocument file             | application/zip               | odf odb odc odm ott ots otp otg oth
epub       | e-book (EPUB)                 | application/epub+zip          | epub
iwork      | Apple Pages, Numbers or Keynote document | application/vnd.apple.iwork | pages numbers key keynote
kmz        | map data (KMZ)                | application/vnd.google-earth.kmz | kmz
nupkg      | software package              | application/zip               | nupkg whl egg
sketch     | design file                   | application/zip               | sketch fig xd
3mf        | 3D model (3MF)                | model/3mf                     | 3mf amf
oxps       | XPS document                  | application/oxps              | oxps xps
npz        | NumPy arrays                  | application/octet-stream      | npz
saz        | Fiddler session               | application/zip               | saz
bagit      | archive with another extension | application/zip              | cbz aar zipx ora kra mbz h5p xmind mmap pbix twbx
`
