import { type DescFile, type DescService, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect'
import type { ServerReflection } from '../../../gen/grpc/reflection/v1/reflection_pb.ts'

/** A file and everything it imports, each once. */
function withImports(file: DescFile, filesByName = new Map<string, DescFile>()): Map<string, DescFile> {
  const name = `${file.name}.proto`
  if (!filesByName.has(name)) {
    filesByName.set(name, file)
    for (const dependency of file.dependencies) withImports(dependency, filesByName)
  }
  return filesByName
}

/** Ends a stream as unavailable when the server stops; clients then reconnect. */
async function* untilStopped<T>(stopSignal: AbortSignal, messages: AsyncIterable<T>): AsyncGenerator<T> {
  const { promise: stopFailure, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new ConnectError('the server is stopping', Code.Unavailable))
  stopFailure.catch(() => undefined)
  stopSignal.addEventListener('abort', stop)
  if (stopSignal.aborted) stop()
  try {
    const iterator = messages[Symbol.asyncIterator]()
    for (;;) {
      const { done, value } = await Promise.race([stopFailure, iterator.next()])
      if (done) return
      yield value
    }
  } finally {
    stopSignal.removeEventListener('abort', stop)
  }
}

/**
 * Server reflection for grpcurl, `buf curl` and similar tools: lists the services and returns their files. A client may
 * keep its stream open, which ends when the server stops.
 */
export function reflectionImplementation(
  services: DescService[],
  stopSignal: AbortSignal,
): ServiceImpl<typeof ServerReflection> {
  const files = new Map<string, DescFile>()
  for (const service of services) withImports(service.file, files)
  const symbols = new Map<string, DescFile>()
  for (const file of files.values()) {
    for (const symbol of [...file.messages, ...file.enums, ...file.services, ...file.extensions])
      symbols.set(symbol.typeName, file)
    for (const service of file.services)
      for (const method of service.methods) symbols.set(`${service.typeName}.${method.name}`, file)
  }
  const answer = (file: DescFile | undefined, name: string) => {
    if (!file)
      return {
        case: 'errorResponse' as const,
        value: { errorCode: Code.NotFound, errorMessage: `${name} not found` },
      }
    const bytes = [...withImports(file).values()].map(one => toBinary(FileDescriptorProtoSchema, one.proto))
    return { case: 'fileDescriptorResponse' as const, value: { fileDescriptorProto: bytes } }
  }
  return {
    async *serverReflectionInfo(requests) {
      for await (const request of untilStopped(stopSignal, requests)) {
        const { case: kind, value } = request.messageRequest
        const head = { validHost: request.host, originalRequest: request }
        if (kind === 'listServices')
          yield {
            ...head,
            messageResponse: {
              case: 'listServicesResponse',
              value: { service: services.map(service => ({ name: service.typeName })) },
            },
          }
        else if (kind === 'fileByFilename') yield { ...head, messageResponse: answer(files.get(value), value) }
        else if (kind === 'fileContainingSymbol') yield { ...head, messageResponse: answer(symbols.get(value), value) }
        else yield { ...head, messageResponse: answer(undefined, kind ?? 'the request') }
      }
    },
  }
}
