# Countersign in a container: one executable, the C library that it needs, and nothing else. No shell, no Node, no npm.
#
#   docker build -t countersign .
#
# Both images are pinned by version. To pin them by digest too, which a release should, look the digests up
#
#   docker buildx imagetools inspect node:24.21.0-bookworm
#   docker buildx imagetools inspect gcr.io/distroless/cc-debian12:nonroot
#
# and give them: --build-arg BUILD_IMAGE=node:24.21.0-bookworm@sha256:… --build-arg RUN_IMAGE=gcr.io/distroless/cc-debian12:nonroot@sha256:…
# or write them into the next two lines.
ARG BUILD_IMAGE=node:24.21.0-bookworm
ARG RUN_IMAGE=gcr.io/distroless/cc-debian12:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /countersign
COPY . .
# The program's own packages and the dashboard's; nothing that only tests and checks need. CI: exactly what the lockfile says.
RUN CI=true npx -y pnpm@12 install --frozen-lockfile --filter "@countersign/server..." --filter "@countersign/dashboard..." \
  && node packages/server/build/executable.ts \
  && install -d -m 0700 /data

FROM ${RUN_IMAGE}
LABEL org.opencontainers.image.title="Countersign" \
      org.opencontainers.image.description="An open-source verification service" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build --chown=0:0 --chmod=0755 /countersign/dist/countersign /usr/local/bin/countersign
# Only the embedded database writes: on a Postgres of yours nothing is ever put here.
COPY --from=build --chown=65532:65532 --chmod=0700 /data /data
VOLUME ["/data"]
WORKDIR /data
ENV COUNTERSIGN_DATA_DIR=/data/countersign \
    HOST=0.0.0.0
USER 65532:65532
EXPOSE 8080
# There is no shell and no curl in here: the program asks itself.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/usr/local/bin/countersign", "healthy"]
ENTRYPOINT ["/usr/local/bin/countersign"]
CMD ["serve"]
