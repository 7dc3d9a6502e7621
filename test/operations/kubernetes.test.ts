import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse, parseAllDocuments } from 'yaml'
import { commands } from '../../cli/commands/main.ts'
import { sources } from '../../cli/sources.ts'
import { consoleListener, frontListener, listeners } from '../../edge/config.ts'
import { serviceNames } from '../../services/kernel/rpc/host.ts'
import { settingsIn } from '../kit/platform/settings-in-code.ts'

const test = suite('Kubernetes manifests')
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'deploy/kubernetes')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

// oxlint-disable-next-line typescript/no-explicit-any -- manifests are read by path
type Manifest = Record<string, any>
const files = readdirSync(folder).filter(name => name !== 'kustomization.yaml')
const manifests: Manifest[] = files.flatMap(file =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map(document => document.toJS() as Manifest),
)
const processes = [...serviceNames, 'edge']
const manifestOf = (kind: string, name: string): Manifest => {
  const manifest = manifests.find(each => each['kind'] === kind && each['metadata'].name === name)
  if (!manifest) throw new Error(`there is no ${kind} ${name}`)
  return manifest
}
const jobs = ['backup', 'operator']
const podOf = (name: string): Manifest => {
  if (jobs.includes(name)) return manifestOf('CronJob', name)['spec'].jobTemplate.spec.template
  return (name === 'migrate' ? manifestOf('Job', name) : manifestOf('Deployment', name))['spec'].template
}
const containerOf = (name: string): Manifest => podOf(name)['spec'].containers[0]
const environmentOf = (name: string): Manifest[] => containerOf(name)['env']
const config: Record<string, string> = manifestOf('ConfigMap', 'platform')['data']

/** Errors of the compiler when the objects are checked against types generated from Kubernetes' OpenAPI document. */
function mistakes(objects: Manifest[]): string {
  const work = mkdtempSync(join(tmpdir(), 'kubernetes-'))
  const modules = new Map(
    [...new Set(objects.map(each => String(each['apiVersion'])))].map((name, at) => [name, `v${at}`]),
  )
  const imports = [...modules].map(
    ([name, as]) => `import type * as ${as} from '${root}node_modules/kubernetes-types/${placeOf(name)}'`,
  )
  const constants = objects.map(
    (each, at) => `export const o${at}: ${modules.get(each['apiVersion'])}.${each['kind']} = ${JSON.stringify(each)}`,
  )
  const file = join(work, 'manifests.ts')
  writeFileSync(file, [...imports, ...constants].join('\n'))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--types', '']
  const resolution = ['--module', 'esnext', '--moduleResolution', 'bundler']
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout, stderr } = spawnSync(tsc, [...options, ...resolution, file], { encoding: 'utf8', cwd: work })
  rmSync(work, { recursive: true })
  return stdout + stderr
}
const placeOf = (version: string): string => (version === 'v1' ? 'core/v1' : version.replace('.k8s.io', ''))

test('every object is valid for the Kubernetes API, and a wrong key or type is detected', () => {
  assert.is(mistakes(manifests), '')
  const wrong = structuredClone(manifestOf('Deployment', 'news'))
  wrong['spec'].template.spec.containers[0].readynessProbe = {}
  assert.match(mistakes([wrong]), /readynessProbe/)
  const odd = structuredClone(manifestOf('HorizontalPodAutoscaler', 'edge'))
  odd['spec'].maxReplicas = 'ten'
  assert.match(mistakes([odd]), /maxReplicas|not assignable/)
})

test('kustomize accepts every file, and every process has its deployment, service, budget and autoscaler', () => {
  const { resources } = parse(read('deploy/kubernetes/kustomization.yaml'))
  assert.equal([...resources].toSorted(), files.toSorted())
  for (const name of processes)
    for (const kind of ['Deployment', 'Service', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'])
      manifestOf(kind, name)
  for (const name of serviceNames)
    assert.equal(environmentOf(name).find(each => each['name'] === 'SERVICES')?.['value'], name)
})

test('ports and addresses equal those of the code', () => {
  serviceNames.forEach((name, place) => {
    const port = 4000 + place
    assert.is(config[`${name.toUpperCase()}_RPC_URL`], `http://${name}:${port}`)
    assert.is(containerOf(name)['ports'][0].containerPort, port)
    assert.is(manifestOf('Service', name)['spec'].ports[0].port, port)
    // A name for each pod, whose ports aren't translated.
    assert.is(manifestOf('Service', name)['spec'].clusterIP, 'None')
    assert.is(containerOf(name)['readinessProbe'].grpc.port, port)
  })
  const documentedPorts = [...new Set([...Object.values(listeners), frontListener].map(({ port }) => port))]
  assert.equal(
    manifestOf('Service', 'edge')['spec'].ports.map((each: { port: number }) => each.port),
    documentedPorts,
  )
  const open = manifestOf('NetworkPolicy', 'world-to-edge')['spec'].ingress[0].ports
  assert.equal(
    open.map((each: { port: number }) => each.port),
    documentedPorts,
  )
})

test('every setting is read by the code, and each process has the same secrets as in compose.yml', () => {
  const knownSettings = new Set(settingsIn(sources()).map(({ name }) => name))
  const compose = parse(read('compose.yml'), { merge: true })
  const isSecret = (name: string) => /(SECRET|_KEY|_PASSWORD|_TOKEN|DATABASE_URL|GATEWAY_URL)$/.test(name)
  for (const name of Object.keys(config)) assert.ok(knownSettings.has(name), name)
  for (const name of processes) {
    const settingNames = environmentOf(name).map(each => String(each['name']))
    for (const each of settingNames) assert.ok(knownSettings.has(each.replace(/_(PREVIOUS|NEXT)$/, '')), each)
    const needed = Object.keys(compose.services[name].environment).filter(isSecret)
    assert.equal(
      needed.filter(each => !settingNames.includes(each)),
      [],
      name,
    )
    for (const each of environmentOf(name))
      assert.ok(each['name'] === 'SERVICES' || each['valueFrom'].secretKeyRef, `${each['name']} is written down`)
    if (name !== 'media')
      assert.not(
        settingNames.some(each => each.startsWith('S3_')),
        name,
      )
  }
  assert.equal(
    environmentOf('migrate').map(each => each['name']),
    serviceNames.map(name => `${name.toUpperCase()}_DATABASE_URL`),
  )
})

test('no process runs as root, writes to its own files or keeps unneeded rights', () => {
  for (const name of [...processes, ...jobs, 'migrate']) {
    const { securityContext, automountServiceAccountToken, volumes } = podOf(name)['spec']
    assert.equal(
      [securityContext.runAsNonRoot, securityContext.runAsUser, automountServiceAccountToken],
      [true, 1000, false],
    )
    assert.equal(containerOf(name)['securityContext'], {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.ok(containerOf(name)['resources'].limits.memory)
    assert.equal(Object.keys(volumes[0]), ['name', 'emptyDir'])
  }
})

test('certificates of a private CA reach every connecting pod, as config.yaml describes, and are optional', () => {
  const hinted = [...read('deploy/kubernetes/config.yaml').matchAll(/^ {2}# (\w+_FILE): (\S+)$/gm)]
  assert.equal(
    hinted.map(([, name]) => name),
    ['DATABASE_CA_FILE', 'NATS_CA_FILE'],
  )
  for (const name of [...processes, 'migrate']) {
    const { envFrom, volumeMounts } = containerOf(name)
    assert.equal(envFrom, [{ configMapRef: { name: 'platform' } }], name)
    const mount = volumeMounts.find((each: Manifest) => each['name'] === 'certificates')
    for (const [, , path = ''] of hinted) assert.ok(path.startsWith(`${mount.mountPath}/`), name)
    const volume = podOf(name)['spec'].volumes.find((each: Manifest) => each['name'] === 'certificates')
    assert.equal(volume.secret, { secretName: 'certificates', optional: true }, name)
  }
})

test('network policies allow exactly the connections that the platform makes, and the sandbox is absent', () => {
  const policies = manifests.filter(each => each['kind'] === 'NetworkPolicy')
  const isOfAll = (policy: Manifest) =>
    policy['spec'].podSelector.matchLabels['app.kubernetes.io/part-of'] === 'platform'
  const portsOf = (rules: Manifest[] = []) =>
    rules.flatMap(rule => (rule['ports'] ?? []).map((one: Manifest) => one['port']))
  const out = new Set(policies.filter(isOfAll).flatMap(policy => portsOf(policy['spec'].egress)))
  const rpc = serviceNames.map((_, place) => 4000 + place)
  // DNS, databases, the broker; HTTPS, mail and traces; RPC.
  assert.equal(
    [...out].toSorted((a, b) => a - b),
    [53, 443, 465, 587, 3306, ...rpc, 4222, 4318].toSorted((a, b) => a - b),
  )
  // Allowed sources by port; a rule without `from` allows the world.
  const sourcesByPort = new Map<number, unknown>()
  for (const { spec } of policies as { spec: Manifest }[])
    for (const rule of spec['ingress'] ?? [])
      for (const port of portsOf([rule])) sourcesByPort.set(port, rule.from ?? 'world')
  const world = [...sourcesByPort].filter(([, from]) => from === 'world').map(([port]) => port)
  assert.equal(world, [...new Set([...Object.values(listeners), frontListener].map(({ port }) => port))])
  const label = (name: string) => [{ namespaceSelector: { matchLabels: { [`platform.example/${name}`]: 'true' } } }]
  assert.equal(sourcesByPort.get(consoleListener.port), label('operators'))
  assert.equal(sourcesByPort.get(9464), label('monitoring'))
  for (const port of rpc)
    assert.equal(sourcesByPort.get(port), [
      { podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'platform' } } },
    ])
  assert.is(sourcesByPort.size, world.length + rpc.length + 2)
  // Every listening pod is covered by the policies, on its ports only.
  for (const name of processes) {
    assert.is(podOf(name)['metadata'].labels['app.kubernetes.io/part-of'], 'platform')
    for (const { containerPort } of containerOf(name)['ports'])
      assert.ok(sourcesByPort.has(containerPort), `${name} ${containerPort}`)
  }
  assert.not.match(JSON.stringify(manifests), /sandbox|3010/)
})

test('processes start as in containers, and more than one of each remains while nodes are drained', () => {
  const compose = parse(read('compose.yml'), { merge: true })
  assert.equal(containerOf('edge')['command'], compose.services.edge.command)
  for (const name of processes) {
    assert.equal(manifestOf('PodDisruptionBudget', name)['spec'].maxUnavailable, 1)
    assert.ok(manifestOf('HorizontalPodAutoscaler', name)['spec'].minReplicas >= 2, name)
    const { selector } = manifestOf('PodDisruptionBudget', name)['spec']
    assert.equal(selector.matchLabels, {
      'app.kubernetes.io/name': podOf(name)['metadata'].labels['app.kubernetes.io/name'],
    })
  }
})

test('an edge has as many sockets as its memory is planned for', () => {
  assert.is(config['EDGE_MAX_SOCKETS'], '10000')
  assert.is(containerOf('edge')['resources'].limits.memory, '768Mi')
})

test('a process has time to drain, and restarts only when it is not alive itself', () => {
  for (const name of processes) {
    const { lifecycle, livenessProbe, startupProbe } = containerOf(name)
    const grace = podOf(name)['spec'].terminationGracePeriodSeconds
    // Running requests may take ten seconds more.
    assert.ok(grace >= lifecycle.preStop.sleep.seconds + Number(config['DRAIN_SECONDS']) + 10, name)
    // Neither asks for the broker, nor for a database: new processes would be killed in a loop while it is away.
    for (const probe of [livenessProbe, startupProbe]) assert.is(probe.httpGet.path, '/live')
    assert.equal(manifestOf('Deployment', name)['spec'].strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 })
  }
})

test('backup and operator have every secret and place for backups; the operator runs only when it is asked', () => {
  const secrets = ['platform', 'storage-key', 'edge', ...serviceNames]
  for (const name of jobs) {
    const { envFrom, volumeMounts, command } = containerOf(name)
    assert.equal(envFrom, [
      { configMapRef: { name: 'platform' } },
      ...[...secrets, 'operator'].map(secret => ({ secretRef: { name: secret } })),
    ])
    assert.equal(volumeMounts.at(-1), { name: 'backups', mountPath: '/backups' })
    assert.ok(commands.some(each => each.name === command[2]))
  }
  manifestOf('PersistentVolumeClaim', 'backups')
  assert.equal(containerOf('backup')['command'].slice(2), ['backup', '/backups', '--keep', '14'])
  assert.ok(manifestOf('CronJob', 'operator')['spec'].suspend)
})

test('the ingress has the public hosts of config.yaml, and leads to ports of the edge', () => {
  const { rules, tls } = manifestOf('Ingress', 'platform')['spec']
  const hosts = ['FRONT_BASE_URL', 'MEDIA_PUBLIC_URL', 'NOTIFICATION_PUBLIC_URL'].map(
    name => new URL(config[name] ?? '').host,
  )
  assert.equal([rules.map((rule: Manifest) => rule['host']), tls[0].hosts], [hosts, hosts])
  const ports = manifestOf('Service', 'edge')['spec'].ports.map((each: Manifest) => each['name'])
  for (const { http } of rules) assert.ok(ports.includes(http.paths[0].backend.service.port.name))
  assert.is(config['TRUST_PROXY_HOPS'], '1')
})

test('the Prometheus operator reads every pod as the job that the alerts name', () => {
  const monitor = parse(read('deploy/monitoring/kubernetes/pods.yaml'))
  for (const name of processes) {
    const { labels } = podOf(name)['metadata']
    assert.is(labels[monitor.spec.jobLabel], 'platform')
    assert.is(labels['app.kubernetes.io/part-of'], monitor.spec.selector.matchLabels['app.kubernetes.io/part-of'])
    assert.ok(containerOf(name)['ports'].some((each: Manifest) => each['name'] === 'metrics'))
  }
})

test.run()
