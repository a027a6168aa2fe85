import type { Rules } from '../evidence-texts.ts'

const NOTHING = 'Nada a fazer.'
const AS_IS = 'Nada a fazer se for para ser assim.'
const RESAVE = 'Abra-o, salve-o de novo e faça upload do novo arquivo.'
const SPLIT = 'Divida-o em vários envios.'

export const rules: Rules = {
  empty_submission: { message: 'O envio não tem arquivos.', remedy: 'Faça upload de pelo menos um arquivo.' },
  empty_file: {
    message: 'O arquivo está vazio, e um arquivo deste tipo não pode estar.',
    remedy: 'Faça upload do arquivo com conteúdo ou deixe-o de fora.',
  },
  empty_text: {
    message: 'O arquivo está vazio.',
    remedy: 'Nada a fazer se for para estar vazio, como a saída de um scanner que não encontrou nada.',
  },
  empty_archive: {
    message: 'O arquivo compactado não contém arquivos.',
    remedy: 'Faça upload de pelo menos um arquivo.',
  },
  unsupported_type: {
    message: 'Arquivos deste tipo são aceitos, mas não examinados.',
    remedy: `${NOTHING} Se os revisores talvez não consigam abri-lo, inclua uma exportação em PDF ou texto.`,
  },
  partly_examined: {
    message: 'O arquivo não foi examinado por completo.',
    remedy: `${NOTHING} Divida o arquivo se ele deve ser examinado por inteiro.`,
  },
  not_examined_in_time: {
    message: 'O exame do arquivo exige mais trabalho do que o permitido.',
    remedy: 'Deixe o arquivo de fora ou envie o conteúdo de outra forma.',
  },
  type_mismatch: {
    message: 'O conteúdo não corresponde à extensão do nome.',
    remedy: 'Confira se é o arquivo certo. Se puder, mude a extensão de acordo com o conteúdo.',
  },
  control_characters: {
    message: 'O texto contém NUL ou outros caracteres de controle.',
    remedy: `${NOTHING} Alguns programas podem não mostrar tudo.`,
  },
  executable_content: {
    message: 'O arquivo é um programa, contém um ou tem a extensão de um.',
    remedy: 'Remova programas. Para provar que um existe, faça upload do hash dele em um arquivo de texto.',
  },
  script_content: {
    message: 'O arquivo é um script ou código-fonte.',
    remedy: `${NOTHING} Os revisores não devem executá-lo.`,
  },
  macros: {
    message: 'O arquivo do Office contém macros.',
    remedy: 'Salve-o sem macros (DOCX, XLSX, PPTX, ODT ou ODS) ou como PDF.',
  },
  encrypted_archive: {
    message: 'Este arquivo está criptografado dentro do arquivo compactado.',
    remedy: 'Compacte os arquivos de novo sem senha.',
  },
  encrypted_pdf: { message: 'O PDF exige senha.', remedy: 'Salve-o sem senha.' },
  encrypted_office: {
    message: 'O arquivo do Office está protegido por senha.',
    remedy: 'Salve-o sem senha.',
  },
  unreadable_archive: {
    message:
      'O arquivo compactado está danificado ou é ambíguo: programas diferentes poderiam ler conteúdos diferentes.',
    remedy: 'Compacte os arquivos de novo com uma versão atual de uma ferramenta comum.',
  },
  irregular_archive: {
    message: 'O arquivo compactado não é bem formado, mas programas comuns leem os mesmos arquivos dele.',
    remedy:
      'Compacte os arquivos de novo. O que os programas ignoram não é examinado e não faz parte do kit.',
  },
  archive_method: {
    message: 'O arquivo compactado usa um método de compactação sem amplo suporte.',
    remedy: 'Compacte os arquivos de novo com deflate, o padrão na maioria das ferramentas.',
  },
  name_traversal: {
    message: 'O nome contém “..” e aponta para fora da pasta.',
    remedy: 'Compacte os arquivos a partir de dentro da pasta.',
  },
  name_absolute: {
    message: 'O nome é um caminho absoluto.',
    remedy: 'Compacte os arquivos com caminhos relativos.',
  },
  name_backslash: {
    message:
      'O nome contém uma barra invertida, que só no Windows separa pastas. No kit, ela é tratada como separador.',
    remedy:
      'Compacte os arquivos de novo com “/” entre as pastas. O Explorador de Arquivos do Windows, o 7-Zip e o PowerShell 7 fazem isso; versões antigas do Compress-Archive e do .NET, não.',
  },
  name_not_unicode: {
    message: 'A codificação do nome é desconhecida.',
    remedy:
      'Compacte os arquivos de novo com uma ferramenta que grave nomes em UTF-8, ou use só caracteres ASCII.',
  },
  name_decoded: {
    message:
      'O nome no arquivo compactado não está marcado como UTF-8. Ele foi decodificado, e programas podem mostrar outro nome.',
    remedy: 'Confira se o nome está certo. Versões atuais das ferramentas comuns gravam nomes em UTF-8.',
  },
  name_changed: {
    message:
      'O nome tem um ponto ou espaço no fim de uma parte. No kit, esse caractere é omitido, como faz o Windows.',
    remedy: NOTHING,
  },
  name_unportable: {
    message: 'O nome tem caracteres que o Windows não consegue armazenar.',
    remedy: `${NOTHING} No Windows, os revisores podem precisar de um programa que os substitua.`,
  },
  name_forbidden: {
    message: 'O nome não é válido em todos os sistemas operacionais.',
    remedy:
      'Renomeie-o: sem caracteres de controle, sem nomes reservados do Windows, sem partes só de pontos e espaços, no máximo 255 bytes por parte e 1.024 no total.',
  },
  name_direction: {
    message: 'O nome contém caracteres invisíveis que mudam a direção do texto e podem disfarçá-lo.',
    remedy: 'Digite o nome de novo sem eles.',
  },
  name_collision: {
    message: 'Outro arquivo tem o mesmo nome, ou um que alguns sistemas operacionais tratam como igual.',
    remedy: 'Renomeie um dos dois.',
  },
  link: {
    message: 'A entrada é um link, não um arquivo.',
    remedy: 'Inclua no lugar dela o arquivo para o qual aponta.',
  },
  special_file: { message: 'A entrada não é um arquivo nem uma pasta.', remedy: 'Deixe-a de fora.' },
  too_many_entries: { message: 'O envio contém arquivos demais.', remedy: SPLIT },
  too_large_unpacked: { message: 'O envio é grande demais quando descompactado.', remedy: SPLIT },
  archive_ratio: {
    message: 'O arquivo compactado se expande para muito mais do que seu tamanho, como uma bomba zip.',
    remedy: 'Faça upload dos arquivos descompactados ou deixe-os de fora.',
  },
  nested_too_deep: {
    message: 'Há níveis demais de arquivos compactados ou documentos aninhados.',
    remedy: 'Descompacte os internos.',
  },
  xml_entities: {
    message: 'O XML declara entidades próprias, que nem todo programa expande da mesma forma.',
    remedy: 'Exporte-o sem declarações de entidades.',
  },
  malformed_pdf: { message: 'O PDF está danificado ou truncado.', remedy: RESAVE },
  malformed_office: { message: 'O arquivo do Office está danificado.', remedy: RESAVE },
  malformed_gzip: {
    message: 'O arquivo gzip está danificado; por isso, seu conteúdo não foi examinado.',
    remedy: 'Compacte-o de novo ou faça upload dele descompactado.',
  },
  malformed_image: { message: 'A imagem está danificada ou truncada.', remedy: 'Exporte a imagem de novo.' },
  active_content: {
    message: 'O arquivo contém scripts, links ou objetos que agem quando ele é aberto.',
    remedy: `${NOTHING} Os revisores não devem abri-lo no navegador nem permitir que execute nada.`,
  },
  appended_content: {
    message: 'Há outro arquivo anexado ao fim deste, e alguns programas abrem esse outro.',
    remedy: 'Salve o arquivo de novo sem ele e faça upload do outro separadamente.',
  },
  private_key: {
    message: 'O arquivo contém uma chave privada.',
    remedy: 'Remova-a. Se ela já foi enviada a alguém, substitua a chave.',
  },
  possible_secret: {
    message: 'O arquivo pode conter um segredo.',
    remedy:
      'Confira. Se for um segredo real, remova-o do arquivo e revogue-o se foi enviado a alguém. Caso contrário, reconheça-o.',
  },
  kit_verified: { message: 'É um kit, e foi verificado.', remedy: NOTHING },
  kit_unconfirmed: {
    message: 'É um kit. Os arquivos estão intactos, mas o emissor não é conhecido aqui.',
    remedy: `${NOTHING} Para que seja verificado, fixe as chaves do emissor.`,
  },
  kit_altered: {
    message: 'É um kit que foi alterado desde que foi emitido.',
    remedy: 'Peça o original ao emissor.',
  },
  kit_forged: {
    message: 'É um kit que não foi assinado pelo emissor que ele indica.',
    remedy: 'Pergunte ao emissor, em um endereço que você já conhece, se ele emitiu este kit.',
  },
  kit_key_revoked: {
    message: 'É um kit cuja chave de assinatura foi revogada.',
    remedy: 'Peça ao fornecedor um kit reemitido.',
  },
  test_virus: {
    message: 'O arquivo contém a sequência de teste antivírus EICAR.',
    remedy: 'Deixe-o de fora.',
  },
  virus_found: {
    message: 'O antivírus encontrou malware.',
    remedy: 'Deixe o arquivo de fora e mande verificar o computador de onde ele veio.',
  },
  scan_failed: {
    message: 'O antivírus não conseguiu analisar o arquivo.',
    remedy: 'Envie de novo mais tarde. Se continuar falhando, fale com o operador do serviço.',
  },
  checksum_mismatch: {
    message: 'O arquivo não corresponde à sua soma de verificação nas evidências.',
    remedy: 'Faça upload do arquivo certo ou crie as somas de verificação de novo.',
  },
  checksum_file_missing: {
    message: 'Uma lista de somas de verificação nas evidências indica um arquivo que falta.',
    remedy: 'Faça upload do arquivo ou crie as somas de verificação de novo.',
  },
  checksum_list_malformed: {
    message: 'A lista de somas de verificação não pode ser lida.',
    remedy: `${AS_IS} Caso contrário, crie-a de novo com \`sha256sum\`.`,
  },
  profile_item_missing: {
    message: 'Falta um item que o perfil exige.',
    remedy: 'Coloque os arquivos em uma pasta com o ID do item ou confirme um arquivo cujo nome corresponda.',
  },
  profile_item_too_old: {
    message: 'As evidências de um item são mais antigas do que o perfil permite.',
    remedy:
      'Faça upload de uma exportação mais recente e declare quando foi coletada (procedência), ou coloque a data no nome do arquivo, como AAAA-MM-DD.',
  },
  profile_item_undated: {
    message:
      'O perfil limita a idade de um item, mas nenhum arquivo correspondente tem data na procedência ou no nome.',
    remedy:
      'Declare quando as evidências foram coletadas (procedência) ou acrescente a data ao nome do arquivo, como AAAA-MM-DD.',
  },
  provenance_unmatched: {
    message: 'Foi declarada a procedência de um arquivo que não está entre as evidências.',
    remedy: 'Indique o arquivo pelo caminho no kit, sem data/.',
  },
  more_findings: {
    message: 'Há mais achados do que os listados.',
    remedy: `${NOTHING} Divida o envio para ver todos.`,
  },
  more_blockers: {
    message: 'Há mais impedimentos do que os listados.',
    remedy: 'Corrija estes primeiro e envie de novo.',
  },
}
