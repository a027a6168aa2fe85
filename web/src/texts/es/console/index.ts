import type { consoleTexts as english } from '../../en/console/index.ts'
import { counted, number } from '../words.ts'
import { access } from './access.ts'
import { audit } from './audit.ts'
import { custody } from './custody.ts'
import { evidence } from './evidence.ts'
import { overview } from './overview.ts'
import { profiles } from './profiles.ts'
import { programs } from './programs.ts'
import { reissue } from './reissue.ts'
import { requests } from './requests.ts'
import { rooms } from './rooms.ts'
import { service } from './service.ts'
import { shares } from './shares.ts'
import { submissions } from './submissions.ts'
import { federations, webhooks } from './webhooks.ts'
import { workspace } from './workspace.ts'

export const consoleTexts: typeof english = {
  title: 'Consola',
  menu: 'Menú',
  places: 'Consola',
  manage: 'Administrar',
  signOut: 'Cerrar sesión',
  frozen: {
    title: 'Por el momento no se emiten kits',
    text: (reason) =>
      `El operador tiene que comprobar antes el registro de este servicio: ${reason}. Puede enviar evidencias como siempre. Sus kits se emitirán después, sin que tenga que hacer nada.`,
  },
  close: 'Cerrar',
  cancel: 'Cancelar',
  more: 'Cargar más',
  toSubmissions: 'Todos los envíos',
  openSubmission: 'Abrir el envío',
  secretDone: 'Ya lo he guardado',
  graces: {
    '24': 'Después de 24 horas',
    '168': 'Después de 7 días',
    '1': 'Después de 1 hora',
    '0': 'De inmediato',
  },
  overview,
  titles: {
    overview: 'Resumen',
    submissions: 'Envíos',
    submission: 'Envío',
    new: 'Nuevo envío',
    requests: 'Solicitudes',
    request: 'Solicitud',
    newRequest: 'Nueva solicitud',
    programs: 'Programas',
    program: 'Programa',
    newProgram: 'Nuevo programa',
    shares: 'Compartidos',
    room: 'Sala',
    profiles: 'Perfiles',
    keys: 'Claves de API',
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    members: 'Miembros',
    audit: 'Registro de auditoría',
    settings: 'Espacio de trabajo',
    account: 'Su cuenta',
    service: 'Servicio',
    serviceWorkspaces: 'Todos los espacios de trabajo',
    serviceWorkspace: 'Espacio de trabajo del servicio',
  },
  stages: {
    draft: 'Borrador',
    queued: 'En cola',
    running: 'En comprobación',
    passed: 'Sellado',
    failed: 'Requiere cambios',
    expired: 'Caducado',
  },
  remedy: 'Cómo corregirlo:',
  files: (count) => counted(count, 'archivo', 'archivos'),
  blockers: (count, areMore = false) =>
    areMore ? `${number(count)} bloqueos o más` : counted(count, 'bloqueo', 'bloqueos'),
  findings: {
    secrets: (count) => counted(count, 'posible secreto', 'posibles secretos'),
    secretsAccepted: (count) => counted(count, 'posible secreto aceptado', 'posibles secretos aceptados'),
    problemsAccepted: (count) => counted(count, 'problema aceptado', 'problemas aceptados'),
    notices: (count) => counted(count, 'aviso', 'avisos'),
    which: (what, sentences) => `${what}: ${sentences.join(' ')}`,
    secretAt: (path, place) => `${path}, ${place}`,
  },
  blockerPaths: {
    count: (count) => counted(count, 'archivo', 'archivos'),
    what: (count) => `las ${number(count)} rutas`,
    notListed: (count) =>
      `${counted(count, 'ruta más no aparece', 'rutas más no aparecen')} aquí. Copie la lista para obtenerlas todas.`,
    more: (count) => `y ${number(count)} más`,
  },
  notEntitled: {
    title: 'Sin acceso a la API',
    text: (name) => `El plan de ${name} no incluye acceso a la API. Consulte al operador de este servicio.`,
  },
  audit,
  custody,
  reissue,
  requests,
  programs,
  webhooks,
  federations,
  service,
  shares,
  rooms,
  ...access,
  ...evidence,
  ...profiles,
  ...submissions,
  ...workspace,
}
