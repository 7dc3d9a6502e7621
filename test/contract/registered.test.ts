import { fileURLToPath } from 'node:url'
import type { DescService } from '@bufbuild/protobuf'
import { loadFiles } from '../../cli/generate/descriptors.ts'
import { serviceNames } from '../../services/kernel/base/service-names.ts'
import type { ServiceModule } from '../../services/kernel/rpc/host.ts'
import { loadServices } from '../../services/modules.ts'
import { sandboxSettings } from '../../services/sandbox/settings.ts'
import { assert, startTestHost, suite } from '../kit/kit.ts'

const test = suite('RPC services')

/** RPC services that are declared and not built yet: their routes answer 501. */
const unbuilt: string[] = []

const files = await loadFiles(fileURLToPath(new URL('../../gen', import.meta.url)))
const declared = files.flatMap(file => file.services).map(({ typeName }) => typeName)

/** A service whose registered RPC services are recorded when it starts. */
const recorded = (module: ServiceModule, seen: DescService[]): ServiceModule => ({
  ...module,
  async start(runtime) {
    const started = await module.start(runtime)
    seen.push(...started.rpcs.map(rpc => rpc.service))
    return started
  },
})

test('every declared RPC service is registered, in the `rpcs` of a service.ts', async () => {
  const seen: DescService[] = []
  const modules = await loadServices([...serviceNames])
  const host = await startTestHost(
    modules.map(module => recorded(module, seen)),
    sandboxSettings('http://127.0.0.1:9', 'smtp://127.0.0.1:9', {}),
  )
  await host.end()
  const registered = new Set(seen.map(({ typeName }) => typeName))
  const missing = declared.filter(name => !registered.has(name) && !unbuilt.includes(name))
  assert.equal(missing, [], `not registered: ${missing.join(', ')}`)
  assert.equal(
    unbuilt.filter(name => registered.has(name) || !declared.includes(name)),
    [],
  )
})

test.run()
