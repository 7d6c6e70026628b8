package dev.touchstone.jinterface;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@ArchTag("sweep")
@AnalyzeClasses(packages = "com.ericsson.otp.erlang", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule knowsTheNodeByItsApiAndItsFrontEndsAccess = noClasses()
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    "com.ericsson.otp.erlang",
                    "dev.touchstone.messaging",
                    "dev.touchstone.messaging.epmd",
                    "dev.touchstone.messaging.etf",
                    "dev.touchstone.messaging.identity",
                    "dev.touchstone.messaging.spi",
                    "dev.touchstone.messaging.term",
                    "java..",
                    "com.google.errorprone.annotations.concurrent")));
}
