import type { access as english } from '../../en/console/access.ts'
import { counted } from '../words.ts'

export const access: typeof english = {
  roles: {
    names: { owner: 'Propietario', manager: 'Gestor', member: 'Miembro', viewer: 'Lector' },
    explained:
      'Los lectores pueden leer. Los miembros, además, pueden enviar evidencias, solicitarlas a proveedores y compartir kits. Los gestores, además, pueden administrar programas y cambiar perfiles. Los propietarios, además, pueden imponer retenciones legales, eliminar evidencias, volver a emitir kits y administrar claves de API, miembros y el espacio de trabajo.',
    needs: (permission, role) => {
      const members = 'los miembros, gestores y propietarios'
      const managers = 'los gestores y propietarios'
      const owners = 'los propietarios'
      const [who, what] = {
        submit: [members, 'enviar evidencias'],
        shares: [members, 'compartir kits'],
        profiles: [managers, 'cambiar perfiles'],
        webhooks: [owners, 'administrar webhooks'],
        keys: [owners, 'administrar claves de API'],
        members: [owners, 'administrar miembros'],
        settings: [owners, 'cambiar el espacio de trabajo'],
        reissue: [owners, 'volver a emitir kits'],
        requests: [members, 'administrar solicitudes'],
        programs: [managers, 'administrar programas'],
        comments: [managers, 'borrar comentarios'],
        custody: [owners, 'imponer retenciones legales y eliminar evidencias'],
      }[permission]
      return `Solo ${who} pueden ${what}. Su rol es ${role}.`
    },
  },
  workspaces: {
    button: (name) => `Espacio de trabajo ${name}`,
    byPasskey: 'Iniciar sesión con su llave de acceso',
    settings: 'Configuración del espacio de trabajo',
    failed: 'No se pudo cambiar de espacio de trabajo',
  },
  signIn: {
    title: 'Iniciar sesión',
    heading: 'Iniciar sesión en la consola',
    withPasskey: 'Iniciar sesión con una llave de acceso',
    withOidc: (name) => `Iniciar sesión con ${name}`,
    noAccount:
      '¿Aún no tiene cuenta? Pida un enlace de invitación a un propietario de su espacio de trabajo.',
    operator: 'Los operadores pueden crear uno con',
    operatorCommand: 'kitseal admin invite',
    unsupported:
      'Aquí no se pueden usar llaves de acceso. Requieren HTTPS o localhost y un navegador compatible. Pida al operador un enlace para iniciar sesión.',
    dismissed: 'No se usó ninguna llave de acceso. Inténtelo de nuevo o use un enlace para iniciar sesión.',
    alreadyThere: 'Este dispositivo ya tiene una llave de acceso suya. Inicie sesión con ella.',
    noPasskey:
      'El navegador no pudo usar una llave de acceso. Pruebe con otro navegador o use un enlace para iniciar sesión.',
    oidcProblems: {
      oidc_refused: 'El inicio de sesión no se completó. Inténtelo de nuevo.',
      oidc_email_unverified:
        'Su dirección de correo no está verificada en el proveedor de inicio de sesión. Verifíquela e inténtelo de nuevo.',
      oidc_not_a_member:
        'No es miembro de ningún espacio de trabajo de este servicio. Pida a un propietario una invitación para su dirección de correo.',
      oidc_unavailable:
        'El proveedor de inicio de sesión no responde. Inténtelo más tarde o use una llave de acceso.',
    },
  },
  choose: {
    title: 'Elegir un espacio de trabajo',
    lead: (email) => `Su cuenta es ${email}. El próximo inicio de sesión abre el mismo espacio de trabajo.`,
    role: (role) => `Rol: ${role.toLowerCase()}`,
    join: (workspace) => `Unirse a ${workspace}`,
    linked:
      'Alguien se unió con la dirección de usted y un enlace. Si continúa, las sesiones y llaves de acceso de esa persona dejan de ser válidas aquí, y solo usted podrá usar esta membresía.',
  },
  invite: {
    title: 'Invitación',
    sso: 'Usted usa el inicio de sesión único, así que solo con él se puede aceptar esta invitación.',
    withOidc: (name) => `Continuar con ${name}`,
    heading: (workspace) => `Unirse a ${workspace}`,
    setUp: 'Configurar kitseal',
    setUpText: 'Usted será propietario de este espacio de trabajo.',
    organization: 'Organización',
    organizationHint: 'Los kits dirán que proceden de ella. Se puede cambiar más tarde.',
    name: 'Su nombre',
    email: 'Su dirección de correo',
    as: (email, role) => `${email}, rol: ${role.toLowerCase()}`,
    label: 'Nombre de la llave de acceso (opcional)',
    labelHint: 'Ayuda a reconocer esta llave de acceso más adelante.',
    labelExample: 'Portátil del trabajo',
    makePasskey: 'Crear una llave de acceso e iniciar sesión',
    without: 'Iniciar sesión esta vez sin llave de acceso',
    unsupported:
      'Aquí no se pueden usar llaves de acceso. Requieren HTTPS o localhost y un navegador compatible. Puede iniciar sesión una vez sin ellas.',
    expires: 'Este enlace sirve una sola vez. Caduca el',
    invalid: 'Este enlace no se puede usar',
    invalidHint: 'Un enlace de invitación sirve una sola vez y solo hasta que caduca. Pida uno nuevo.',
    noToken: {
      title: 'Este enlace está incompleto',
      text: 'Un enlace de invitación termina con «#» y un código largo. Abra el enlace completo o pida uno nuevo.',
    },
    toSignIn: 'Ir al inicio de sesión',
  },
  account: {
    lead: (email, role) => `${email}, ${role.toLowerCase()}`,
    person: {
      title: 'Usted',
      name: 'Su nombre',
      email: 'Dirección de correo',
      emailHint: 'Los miembros la ven, y allí recibe usted el correo. No está verificada.',
      fixed: (email) => `Su proveedor de inicio de sesión indica que su dirección es ${email}.`,
    },
    passkeys: {
      title: 'Llaves de acceso',
      text: 'Con una llave de acceso se inicia sesión con la huella, el rostro o un PIN. Añada otra en un segundo dispositivo por si pierde el primero.',
      none: 'No tiene ninguna llave de acceso: inició sesión con un enlace. Añada una ahora, o la próxima vez necesitará un enlace nuevo.',
      label: 'Nombre (opcional)',
      add: 'Añadir una llave de acceso',
      added: 'Añadida',
      used: 'último uso',
      neverUsed: 'nunca usada',
      backedUp: 'sincronizada',
      remove: {
        action: 'Quitar',
        title: (label) => `¿Quitar «${label}»?`,
        text: 'Ya no podrá iniciar sesión con esta llave de acceso. Las sesiones iniciadas con ella siguen activas.',
      },
    },
    sessions: {
      title: 'Sesiones',
      text: 'Navegadores en los que ha iniciado sesión.',
      current: 'Este navegador',
      methods: { passkey: 'una llave de acceso', link: 'un enlace', oidc: 'inicio de sesión único' },
      signedIn: (method) => `Sesión iniciada con ${method} el`,
      active: 'última actividad',
      end: 'Cerrar sesión',
      endOthers: 'Cerrar las demás sesiones',
    },
  },
  members: {
    lead: 'Personas que pueden usar este espacio de trabajo.',
    title: 'Miembros',
    you: '(usted)',
    never: 'Nunca',
    passkeys: (count) => counted(count, 'llave de acceso', 'llaves de acceso'),
    roleOf: (email) => `Rol de ${email}`,
    columns: { email: 'Miembro', role: 'Rol', seen: 'Última actividad', actions: 'Acciones' },
    remove: {
      action: 'Quitar',
      title: (email) => `¿Quitar a ${email}?`,
      text: 'Las sesiones de esta persona se cierran de inmediato. Sus envíos permanecen.',
      keep: 'Conservar estas claves de API y sistemas de CI',
      keepHint: 'Los demás se revocan, junto con las claves que crearon. Usted responde de los que conserve.',
      key: (label) => `Clave de API «${label}»`,
      federation: (label) => `Sistema de CI «${label}»`,
      end: 'Terminar estos accesos compartidos y solicitudes',
      endHint: 'Los demás quedan como están.',
      share: (label) => `Acceso compartido a «${label}»`,
      request: (title) => `Solicitud «${title}»`,
      invitations: (emails) => `Las invitaciones pendientes para ${emails} se revocan.`,
      yourself:
        'Esta es su propia cuenta. Su sesión se cierra de inmediato y necesitará una nueva invitación para volver.',
    },
    invite: {
      title: 'Invitar a un miembro',
      email: 'Dirección de correo',
      role: 'Rol',
      action: 'Crear enlace de invitación',
      made: (email) => `Enlace de invitación para ${email}`,
      madeText:
        'Envíe este enlace por un canal de confianza. Se muestra una sola vez, sirve una sola vez y caduca a los 7 días.',
      what: 'enlace de invitación',
    },
    open: {
      title: 'Invitaciones pendientes',
      none: 'No hay invitaciones pendientes.',
      revoke: 'Revocar',
      columns: { email: 'Correo', role: 'Rol', by: 'Invitado por', until: 'Caduca', actions: 'Acciones' },
    },
  },
}
