"""Makes files with the programs that people use: make.py FOLDER writes FOLDER/honest and FOLDER/hostile.

Programs that are not installed are left out.
"""
import csv, gzip, io, json, os, plistlib, shutil, sqlite3, struct, subprocess, sys, tarfile, zipfile
from email.message import EmailMessage

ROOT = os.path.abspath(sys.argv[1])
HONEST, HOSTILE, WORK = (os.path.join(ROOT, name) for name in ('honest', 'hostile', 'work'))
for folder in (HONEST, HOSTILE, WORK + '/d/e'):
    os.makedirs(folder)
os.chdir(WORK)


def write(folder, name, content):
    with open(os.path.join(folder, name), 'wb') as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def run(program, command):
    if shutil.which(program):
        subprocess.run(command.replace('OUT', HONEST).replace('BAD', HOSTILE), shell=True, check=True, capture_output=True)


def zip_of(files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def tar_of(files, **fields):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode='w') as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            for field, value in fields.items():
                setattr(info, field, value)
            archive.addfile(info, io.BytesIO(content))
    return made.getvalue()


def honest_archives():
    run('zip', 'zip -q OUT/z1.zip a.txt -r d; zip -q -0 OUT/z2.zip a.txt; cat a.txt | zip -q OUT/z3.zip -; zip -q - a.txt | cat > OUT/z4.zip')
    run('zip', 'zip -q -fz OUT/z5.zip a.txt; cat a.txt | zip -q -fd OUT/z6.zip -; zip -q -r OUT/z7.zip .')
    run('7z', '7z a -bd OUT/7.zip a.txt d; 7z a -bd OUT/7.7z a.txt; 7z a -bd -ttar OUT/7.tar a.txt d; 7z a -bd -tgzip OUT/7.gz a.txt')
    run('tar', 'for f in gnu ustar posix v7; do tar --format=$f -cf OUT/$f.tar a.txt d; done; tar czf OUT/g.tar.gz a.txt d')
    run('xz', 'xz -c a.txt > OUT/a.txt.xz')
    run('bzip2', 'bzip2 -c a.txt > OUT/a.txt.bz2')
    run('gzip', 'gzip -c a.txt > OUT/a.txt.gz; cat a.txt | gzip > OUT/p.gz; cat OUT/p.gz OUT/p.gz > OUT/two.gz')
    with zipfile.ZipFile(HONEST + '/py64.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
        with archive.open('a.txt', 'w', force_zip64=True) as file:
            file.write(b'hello')
    for name, form in (('gnu', tarfile.GNU_FORMAT), ('pax', tarfile.PAX_FORMAT)):
        with tarfile.open(f'{HONEST}/py{name}.tar', 'w', format=form) as archive:
            archive.add('d')
            archive.add('gr\u00fc\u00dfe.txt')


def honest_texts():
    for dialect in (csv.excel, csv.excel_tab, csv.unix_dialect):
        made = io.StringIO(newline='')
        csv.writer(made, dialect).writerows([['a', 'b "q"', 'two\nlines'], [1, '\u00fc', None]])
        write(HONEST, f'{dialect.__name__}.csv', made.getvalue())
    write(HONEST, 'wide.csv', '\ufeffa\tb\r\n1\t2\r\n'.encode('utf-16le'))
    write(HONEST, 'latin.csv', 'a,b\n\u00fc,1\n'.encode('latin1'))
    write(HONEST, 'pretty.json', json.dumps({'a': [1, 2.5, None, True, '\u00fc']}, indent=2))
    write(HONEST, 'lines.jsonl', '\n'.join(json.dumps({'i': i}) for i in range(5)))
    write(HONEST, 'nan.json', json.dumps({'x': float('nan')}))
    write(HONEST, 'a.plist', plistlib.dumps({'a': 1}))
    write(HONEST, 'b.plist', plistlib.dumps({'a': 1}, fmt=plistlib.FMT_BINARY))
    write(HONEST, 'a.yaml', 'a: 1\nb:\n  - x\n  - y: |\n      text\n---\nc: 2\n')
    write(HONEST, 'terminal.log', '\x1b[31mred\x1b[0m\r\n\x07bell\n')
    database = sqlite3.connect(HONEST + '/a.sqlite')
    database.executescript('create table t(a); insert into t values(1);')
    write(HONEST, 'dump.sql', '\n'.join(database.iterdump()))
    database.close()
    mail = EmailMessage()
    mail['From'], mail['To'], mail['Subject'] = 'a@example.com', 'b@example.com', 'Gr\u00fc\u00dfe'
    mail.set_content('text \u00fc')
    mail.add_alternative('<p>html</p>', subtype='html')
    mail.add_attachment(b'%PDF-1.4 x', maintype='application', subtype='pdf', filename='x.pdf')
    write(HONEST, 'a.eml', mail.as_bytes())
    write(HONEST, 'a.mbox', b'From a@example.com Mon Jun  1 10:00:00 2026\n' + mail.as_bytes() + b'\n')
    git = 'git -c user.email=a@b.c -c user.name=a'
    run('git', f'git init -q r && cd r && cp ../a.txt . && git add . && {git} commit -qm one && echo x >> a.txt && {git} commit -qam two && git bundle create OUT/r.bundle --all && git format-patch -1 --stdout > OUT/1.patch && git archive HEAD -o OUT/git.zip && git archive HEAD -o OUT/git.tar.gz')


def keys_and_signatures():
    run('openssl', 'openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out OUT/c.pem -days 9 -subj /CN=a; openssl x509 -in OUT/c.pem -outform der -out OUT/c.der; openssl pkey -in k.pem -pubout -out OUT/pub.pem; openssl req -new -key k.pem -subj /CN=b -out OUT/r.csr')
    run('openssl', 'openssl smime -sign -in a.txt -signer OUT/c.pem -inkey k.pem -outform der -out OUT/s.p7s; openssl smime -sign -in a.txt -signer OUT/c.pem -inkey k.pem -out OUT/s.eml; openssl dgst -sha256 -sign k.pem -out OUT/a.sig a.txt; openssl ts -query -data a.txt -sha256 -out OUT/a.tsq')
    run('openssl', 'cp k.pem BAD/k.pem; openssl rsa -in k.pem -traditional -out BAD/k1.pem; openssl pkey -in k.pem -outform der -out BAD/k8.der; openssl rsa -in k.pem -traditional -outform der -out BAD/k1.der; openssl pkcs8 -topk8 -in k.pem -passout pass:x -out BAD/k8e.pem; openssl pkcs8 -topk8 -in k.pem -passout pass:x -outform der -out BAD/k8e.der; openssl pkcs12 -export -inkey k.pem -in OUT/c.pem -passout pass:x -out BAD/k.p12')
    run('openssl', 'openssl ecparam -genkey -name prime256v1 -out BAD/ec.pem; openssl genpkey -algorithm ed25519 -out BAD/ed.pem; openssl genpkey -algorithm ed25519 -outform der -out BAD/ed.der')
    run('ssh-keygen', 'ssh-keygen -q -t ed25519 -N "" -f id; cp id BAD/id_ed25519; cp id.pub OUT/id.pub')
    if os.path.exists('k.pem'):
        with open('k.pem', 'rb') as file:
            key = file.read()
        write(HOSTILE, 'k.txt', b'see\n' + key)
        write(HOSTILE, 'k.json', json.dumps({'key': key.decode()}))
        write(HOSTILE, 'k.zip', zip_of({'a/k.txt': key}))
        write(HOSTILE, 'k.gz', gzip.compress(key))
        write(HOSTILE, 'k.tar', tar_of({'id': key}))


def hostile_files():
    # Split, so that virus scanners do not flag this file.
    eicar = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$' + 'EICAR-STANDARD-' + 'ANTIVIRUS-TEST-FILE!$H+H*'
    write(HOSTILE, 'e.txt', eicar)
    write(HOSTILE, 'wide.txt', ('\ufeff' + eicar).encode('utf-16le'))
    write(HOSTILE, 'ee.zip', zip_of({'b.zip': zip_of({'a.txt': eicar})}))
    write(HOSTILE, 'e.tgz', gzip.compress(tar_of({'a': eicar.encode()})))
    programs = {
        'elf': b'\x7fELF\x02\x01\x01' + bytes(9) + b'\x02\0\x3e\0' + bytes(100),
        'pe': b'MZ' + bytes(58) + struct.pack('<I', 64) + b'PE\0\0' + bytes(100),
        'macho': b'\xcf\xfa\xed\xfe\x07\0\0\x01' + bytes(100),
        'class': b'\xca\xfe\xba\xbe\0\0\0\x34' + bytes(100),
    }
    for name, program in programs.items():
        for ending in ('txt', 'pdf', 'csv', 'bin', 'png'):
            write(HOSTILE, f'{name}.{ending}', program)
        write(HOSTILE, f'{name}.zip', zip_of({'a.dat': program}))
        write(HOSTILE, f'{name}.tar', tar_of({'a.dat': program}))
        write(HOSTILE, f'{name}.txt.gz', gzip.compress(program))
    for index, name in enumerate(('../../x.txt', '/etc/x', 'C:\\x.txt', '..\\x.txt')):
        write(HOSTILE, f'path{index}.zip', zip_of({name: 'x'}))
    write(HOSTILE, 'path.tar', tar_of({'../x': b'x'}))
    write(HOSTILE, 'link.tar', tar_of({'l': b''}, type=tarfile.SYMTYPE, linkname='/etc/passwd'))
    write(HOSTILE, 'device.tar', tar_of({'l': b''}, type=tarfile.CHRTYPE))
    write(HOSTILE, 'case.zip', zip_of({'a.txt': '1', 'A.TXT': '2'}))
    write(HOSTILE, 'bomb.zip', zip_of({'a': bytes(60_000_000)}))
    write(HOSTILE, 'bomb.gz', gzip.compress(bytes(60_000_000)))
    write(HOSTILE, 'bombs.zip', zip_of({f'{index}.zip': zip_of({'a': bytes(9_000_000)}) for index in range(9)}))
    deep = b'x'
    for _ in range(8):
        deep = zip_of({'a.zip': deep})
    write(HOSTILE, 'deep.zip', deep)
    write(HOSTILE, 'both.pdf', b'%PDF-1.4\n%%EOF\n' + zip_of({'run.exe': programs['pe']}))
    write(HOSTILE, 'macro.docm', zip_of({'[Content_Types].xml': '<Types/>', 'word/vbaProject.bin': 'x'}))


write(WORK, 'a.txt', 'hello\n')
write(WORK, 'gr\u00fc\u00dfe.txt', 'hello\n')
write(WORK, 'd/e/c.json', '{"a":1}')
honest_archives()
honest_texts()
keys_and_signatures()
hostile_files()
