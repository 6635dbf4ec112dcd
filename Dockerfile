# The command `notesieve` in an image without a compiler. It runs as a user without rights, writes nothing but its output, and
# needs no network: docs/install.md says how to run it. `make test-image` runs these steps in a clean Debian, without Docker.

FROM rust:1.95-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends make python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# `release`, or `dev`, which compiles sooner and runs more slowly.
ARG PROFILE=release
RUN make wheel PROFILE=$PROFILE
RUN python3 -m venv /opt/notesieve \
    && /opt/notesieve/bin/pip install --no-cache-dir "$(ls dist/*.whl)[files,docx,rtf,serve]"

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin notesieve
COPY --from=build /opt/notesieve /opt/notesieve
ENV PATH=/opt/notesieve/bin:$PATH PYTHONDONTWRITEBYTECODE=1
USER 10001
WORKDIR /data
ENTRYPOINT ["notesieve"]
CMD ["--help"]
