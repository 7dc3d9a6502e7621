import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.ts'

// npm run --silent sbom: the bill of materials in CycloneDX, from the lock file alone. Needs no network. A lock
// file always has the same bill, so the bill has neither a time nor a serial number.
const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only', '--offline']
const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
if (status === 0) {
  const bill = JSON.parse(stdout) as {
    serialNumber?: string
    metadata: { timestamp?: string; component: { name: string } }
  }
  delete bill.serialNumber
  delete bill.metadata.timestamp
  // npm names the project after its folder.
  bill.metadata.component.name = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }).name
  console.log(JSON.stringify(bill, null, 2))
} else {
  console.error(stderr)
  process.exitCode = 1
}
