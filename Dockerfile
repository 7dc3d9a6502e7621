# One image for every service, the edge and the sandbox; compose.yml says which one a container runs. It holds Node, its
# libraries and what the programs load: no shell. `npm run release` builds its last stage, without a registry [D543].
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package needs its install script here: the image brings Node, and bcrypt brings what it needs built.
RUN npm ci --ignore-scripts
COPY . .
RUN node cli/build/main.ts && node cli/release/image-files.ts /image

FROM scratch
# The root file system can be read-only: what is written goes to /tmp and /data.
ENV PATH=/usr/local/bin NODE_ENV=production NODE_COMPILE_CACHE=/tmp/compile-cache DATA_DIR=/data
COPY --from=build /image/root /
COPY --from=build --chown=1000:1000 /image/data /data
WORKDIR /app
USER 1000:1000
CMD ["node", "services/main.ts"]
