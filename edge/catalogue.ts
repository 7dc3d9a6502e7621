import type { DescFile, DescService } from '@bufbuild/protobuf'
