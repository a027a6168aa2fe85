import type { KitTexts } from './en.ts'

export const es: KitTexts = {
  boundary:
    'Solo evidencia de integridad y de emisión. No constituye auditoría, certificación ni garantía de cumplimiento.',
  verdicts: {
    verified: {
      heading: 'Verificado',
      advice: 'Los archivos no han cambiado, y el recibo está firmado con KEY.',
    },
    sender_unconfirmed: {
      heading: 'Archivos intactos. Remitente aún sin confirmar.',
      advice:
        'Cualquiera puede crear un kit que indique a este emisor. Obtenga el conjunto de claves del emisor en un sitio web que sepa que es suyo, o compare el ID de clave con uno que haya recibido por otra vía.',
    },
    signer_unknown: {
      heading: 'No está firmado por el emisor que indica',
      advice:
        'El emisor puede tener una clave nueva, o bien otra persona creó este kit. Compare las claves del emisor en una dirección que ya conozca: kitseal trust add ISSUER',
    },
    key_revoked: {
      heading: 'Clave de firma revocada el DATE',
      advice: 'No confíe en él. Pida al proveedor un kit emitido de nuevo, firmado con una clave vigente.',
    },
    altered: {
      heading: 'Alterado desde su emisión',
      advice: 'No confíe en él. Pida el original al emisor.',
    },
    unreadable: {
      heading: 'No es un kit legible',
      advice: 'Compruebe que tiene el archivo completo y pida al remitente que lo envíe de nuevo.',
    },
  },
  keyRevoked: 'Clave de firma revocada',
  notLogged:
    'La firma es del emisor, pero la prueba de registro o su fecha no cumple su política. Pida al emisor una prueba de registro más reciente y pregúntele si emitió este kit.',
  keys: {
    kit: 'la clave que venía en el propio kit, así que cualquiera pudo crearlo',
    none: 'una clave que no está confirmada',
    given: 'la clave que usted indicó',
    pinned: 'la clave que usted fijó',
    pinnedOn: 'la clave que usted fijó el {day}',
    notCompared: 'la clave que {host} publica hoy; no comparada antes',
    confirmed: 'la clave que {host} publica hoy; usted la confirmó el {day}',
    firstUse: 'la clave que {host} publica hoy; la misma que en su primer uso el {day}',
    site: 'la clave que publica este sitio, {host}',
  },
  names: {
    named: 'según el kit',
    operator: 'confirmado por el operador de {host}',
    own: 'según el propio espacio de trabajo',
  },
  anonymous: 'Autor anónimo de la llamada. El nombre es un texto suyo. No se aportaron archivos.',
  byLink: 'Alguien con el enlace de una solicitud (no verificado)',
  checks: {
    kit_reads_in_one_way: 'El archivo comprimido está bien formado y no es ambiguo',
    files_match_manifest: 'Todos los archivos del manifiesto están presentes y sin cambios',
    nothing_was_added: 'El kit no contiene archivos que no figuren en el manifiesto',
    manifest_matches_receipt: 'El manifiesto coincide con el recibo',
    receipt_is_whole: 'El recibo está bien formado y coincide con su propio hash',
    envelope_agrees: 'Los archivos de recibo, firma y conjunto de claves son coherentes',
    key_id_matches_public_key: 'El ID de clave del recibo corresponde a una clave pública',
    key_was_alive: 'La clave de firma estaba activa cuando se emitió el recibo',
    signature_verifies: 'La firma Ed25519 del recibo es válida',
    signer_is_trusted: 'La clave de firma se conoce por una vía ajena al kit',
    receipt_is_logged: 'El recibo está en un registro cuya clave se conoce por una vía ajena al kit',
    log_is_witnessed: 'El registro y sus testigos cumplen su política',
    time_is_confirmed: 'Testigos o un sello de tiempo confirman la hora del recibo',
    file_matches_proof: 'El archivo pertenece al kit para el que se emitió el recibo',
  },
  provenance: {
    headings: {
      verified: 'Verificado por {host}',
      unconfirmed: 'Según el kit, sin confirmar',
      supplier: 'Declarado por el proveedor, no verificado',
      files: 'Declarado por los archivos, no verificado',
    },
    allFiles: 'Todos los archivos',
    andMore: '{first} y {more} más',
    ciRun: 'ejecución de CI',
    ciRunOf: 'ejecución de CI de {repository}',
    workflow: 'flujo de trabajo {name}',
    run: 'ejecución {run}',
    attempt: 'ejecución {run}, intento {attempt}',
    commit: 'commit {commit}',
    token: 'token de {issuer}',
    uploaded: 'subido el {time}',
    routes: { browser: 'en el navegador', api: 'por la API', request_link: 'por el enlace de una solicitud' },
    resumable: '{route} (reanudable)',
    key: 'clave {name}',
    member: 'miembro {id}',
    link: 'enlace {id}',
    byService: 'escrito por el servicio el {time}',
    confirmedAddress: 'enviado por {address}, dirección confirmada el {time}',
    sentBy: 'enviado por {name}',
    uploadedWith: 'subido con {program}',
    collectedWith: 'recopilado con {program}',
    command: 'comando {command}',
    collected: 'recopilado el {time}',
    period: 'período de {from} a {to}',
    system: 'sistema {system}',
    query: 'consulta {query}',
  },
}
