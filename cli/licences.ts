import { installedPackages, isAllowed } from './licences/packages.ts'

// npm run licences: installed packages by licence. Exits with 1 when a licence isn't allowed.
const packages = installedPackages()
for (const [licence, packagesOfLicence] of [...Map.groupBy(packages, one => one.licence)].toSorted(
  ([, a], [, b]) => b.length - a.length,
)) {
  console.log(`\n${licence || 'no licence stated'} (${packagesOfLicence.length})`)
  for (const { name, version, isDevelopment } of packagesOfLicence)
    console.log(`  ${name} ${version}${isDevelopment ? ', development' : ''}`)
}
const refusedPackages = packages.filter(one => !isAllowed(one))
for (const { name, licence } of refusedPackages)
  console.error(`${name} is under ${licence || 'no licence'}, which is not allowed`)
console.log(`\n${packages.length} packages, ${refusedPackages.length} refused`)
process.exitCode = refusedPackages.length > 0 ? 1 : 0
