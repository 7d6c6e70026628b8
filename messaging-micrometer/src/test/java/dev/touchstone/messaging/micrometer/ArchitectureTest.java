package dev.touchstone.messaging.micrometer;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@ArchTag("sweep")
@AnalyzeClasses(packages = "dev.touchstone.messaging.micrometer", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule knowsTheApiOnly = noClasses()
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    "dev.touchstone.messaging",
                    "dev.touchstone.messaging.identity",
                    "dev.touchstone.messaging.micrometer",
                    "dev.touchstone.messaging.stats",
                    "java..",
                    "io.micrometer.core.instrument..",
                    "org.jspecify.annotations")));
}
