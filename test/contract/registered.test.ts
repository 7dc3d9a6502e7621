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
const declaredNames = files.flatMap(file => file.services).map(({ typeName }) => typeName)

/** A service whose registered RPC services are recorded when it starts. */
const recorded = (module: ServiceModule, registeredServices: DescService[]): ServiceModule => ({
  ...module,
  async start(runtime) {
    const startedService = await module.start(runtime)
    registeredServices.push(...startedService.rpcs.map(rpc => rpc.service))
    return startedService
  },
})

test('every declared RPC service is registered, in the `rpcs` of a service.ts', async () => {
  const registeredServices: DescService[] = []
  const modules = await loadServices([...serviceNames])
  const host = await startTestHost(
    modules.map(module => recorded(module, registeredServices)),
    sandboxSettings('http://127.0.0.1:9', 'smtp://127.0.0.1:9', {}),
  )
  await host.end()
  const registeredNames = new Set(registeredServices.map(({ typeName }) => typeName))
  const missing = declaredNames.filter(name => !registeredNames.has(name) && !unbuilt.includes(name))
  assert.equal(missing, [], `not registered: ${missing.join(', ')}`)
  assert.equal(
    unbuilt.filter(name => registeredNames.has(name) || !declaredNames.includes(name)),
    [],
  )
})

test.run()
