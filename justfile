# Daily commands; `just` without arguments lists them. Each line is a plain command that runs without just, too.

set positional-arguments

# Lists the commands
default:
    @just --list

# Compiles and packages everything without tests: jars and the benchmark capsule
build:
    ./mvnw -q -DskipTests package

# Runs all tests on this JDK
test:
    ./mvnw test

# Runs the tests of one module, as in: just test-of queue 'DiskQueueTest'
test-of module tests='*':
    ./mvnw -q -pl :{{ module }} -am test -Dtest='{{ tests }}' -Dsurefire.failIfNoSpecifiedTests=false

# Formats all sources
format:
    ./mvnw -q spotless:apply

# Runs the gate: both JDKs, documents, release artefacts and samples
gate:
    .ci/run

# Measures one workload of each part beside its peers, in three minutes
quick *args:
    scripts/quick "$@"

# Starts the benchmark capsule, as in: just bench list
bench *args:
    java -jar benchmarks/target/benchmarks-*-capsule.jar "$@"

# Shows what a release of a version would be: artefacts, SBOM, second build, samples
release-dry-run version:
    scripts/release {{ version }} --dry-run

# Builds samples/consumer against a repository folder, as in: just samples target/release/repository 0.1.0
samples repository version:
    samples/run {{ repository }} {{ version }}

# Removes what builds made
clean:
    ./mvnw -q clean
