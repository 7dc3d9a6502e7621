import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.ts'

const head = `# Written by npm run gen from deploy/monitoring/prometheus-rules.yaml.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: platform
spec:
`

/** Text of deploy/monitoring/kubernetes/rules.yaml: the alerts as an object of the Prometheus operator. */
export function prometheusRuleText(): string {
  const rules = readFileSync(join(root, 'deploy/monitoring/prometheus-rules.yaml'), 'utf8')
  return head + rules.slice(rules.indexOf('groups:')).replace(/^(?=.)/gm, '  ')
}
