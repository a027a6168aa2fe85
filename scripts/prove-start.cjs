'use strict'
// Tests `npm start` in a fresh clone: start, request, stop. Plain JavaScript, because nothing is installed yet and any
// Node version may run it.
const childProcess = require('child_process')
const crypto = require('crypto')
const fs = require('fs')
const http = require('http')
const net = require('net')
const os = require('os')
const path = require('path')

const STARTS_WITHIN_MS = 6 * 60 * 1000
const STOPS_WITHIN_MS = 30 * 1000

async function proveStart() {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'kitseal-start-'))
  let service
  try {
    const copy = path.join(scratch, 'kitseal')
    clone(path.dirname(__dirname), copy)
    const port = await freePort()
    const env = Object.assign({}, process.env, {
      KITSEAL_PORT: String(port),
      KITSEAL_DATA: path.join(scratch, 'data'),
    })
    const started = Date.now()
    service = start(copy, env)
    const base = 'http://127.0.0.1:' + port
    await ready(base + '/readyz', service)
    console.log('npm start: ready after ' + ((Date.now() - started) / 1000).toFixed(1) + ' s.')
    const jwks = await get(base + '/.well-known/jwks.json')
    if (jwks.status !== 200 || JSON.parse(jwks.body).keys.length === 0) {
      throw new Error('/.well-known/jwks.json returned ' + jwks.status + ': ' + jwks.body)
    }
    await stop(service)
    if (await answers(base + '/readyz')) throw new Error('the service still responds after it was stopped')
    console.log('npm start: serves from a fresh copy and stops cleanly.')
  } finally {
    if (service) killAll(service)
    fs.rmSync(scratch, { recursive: true, force: true })
  }
}

/** If root runs this, the checkout may have another owner. git then needs `safe.directory`, in a config file because
 * it drops command-line options for the process that serves the clone. */
function clone(from, to) {
  const settings = to + '.gitconfig'
  fs.writeFileSync(settings, '[safe]\n\tdirectory = *\n')
  childProcess.execFileSync('git', ['clone', '--quiet', '--no-hardlinks', from, to], {
    env: Object.assign({}, process.env, { GIT_CONFIG_GLOBAL: settings }),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** In its own process group, so that no child process survives a failure. */
function start(folder, env) {
  console.log('npm start: in a fresh copy …')
  const child = childProcess.spawn('npm', ['start'], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const service = { child, ended: undefined }
  service.end = new Promise((resolve) => {
    child.on('error', (error) => resolve((service.ended = error.message)))
    child.on('exit', (code, signal) => resolve((service.ended = signal || 'exit ' + code)))
  })
  return service
}

async function ready(address, service) {
  const deadline = Date.now() + STARTS_WITHIN_MS
  while (!(await answers(address))) {
    if (service.ended) throw new Error('npm start exited before it served: ' + service.ended)
    if (Date.now() > deadline)
      throw new Error('npm start did not serve within ' + STARTS_WITHIN_MS / 1000 + ' s')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const answers = (address) =>
  get(address).then(
    ({ status }) => status === 200,
    () => false,
  )

async function stop(service) {
  service.child.kill('SIGTERM')
  let timer
  const late = new Promise((resolve) => (timer = setTimeout(resolve, STOPS_WITHIN_MS, 'not within 30 s')))
  const ended = await Promise.race([service.end, late])
  clearTimeout(timer)
  if (ended !== 'exit 0') throw new Error('npm start did not stop cleanly after SIGTERM: ' + ended)
}

function killAll({ child }) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function get(address) {
  return new Promise((resolve, reject) => {
    const request = http.get(address, { timeout: 5000 }, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (text) => (body += text))
      answer.on('end', () => resolve({ status: answer.statusCode, body }))
      answer.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('no response within 5 s')))
    request.on('error', reject)
  })
}

/** A port that no system gives away by itself while the clone installs its packages (test/kit/free-port.ts). */
function freePort() {
  const port = crypto.randomInt(16384, 32768)
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.on('error', (error) => (error.code === 'EADDRINUSE' ? resolve(freePort()) : reject(error)))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
}

proveStart().catch((error) => {
  console.error('npm start: ' + error.message)
  process.exitCode = 1
})
