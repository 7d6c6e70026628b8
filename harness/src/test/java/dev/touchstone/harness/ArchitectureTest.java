package dev.touchstone.harness;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The house rules that bear on this module. */
@ArchTag("sweep")
@AnalyzeClasses(packages = "dev.touchstone", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule KNOWS_NO_PART = noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "dev.touchstone.queue..",
                    "dev.touchstone.messaging..",
                    "dev.touchstone.serialization..",
                    "dev.touchstone.index..",
                    "dev.touchstone.builds..",
                    "dev.touchstone.benchmarks.."));

    @ArchTest
    static final ArchRule ONLY_RUN_STARTS_PROCESSES = noClasses()
            .that()
            .resideOutsideOfPackage("dev.touchstone.harness.run..")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(ProcessBuilder.class)
            .orShould()
            .callMethodWhere(target(name("exec")))
            .because("one place must know every child process, to end it");
}
