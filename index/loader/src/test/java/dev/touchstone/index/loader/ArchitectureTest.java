package dev.touchstone.index.loader;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@ArchTag("sweep")
@AnalyzeClasses(packages = "dev.touchstone.index.loader", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule NEEDS_THE_INDEX_AND_THE_PARSERS = noClasses()
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    "dev.touchstone.index",
                    "dev.touchstone.index.price",
                    "dev.touchstone.index.sample",
                    "dev.touchstone.index.loader",
                    "com.fasterxml.jackson.core..",
                    "de.siegmar.fastcsv..",
                    "java..",
                    "org.jspecify.annotations")));

    @ArchTest
    static final ArchRule USES_NO_REFLECTION =
            noClasses().should().dependOnClassesThat().resideInAPackage("java.lang.reflect");

    @ArchTest
    static final ArchRule ONLY_THE_DATABASE_CLASSES_KNOW_SQL = noClasses()
            .that()
            .doNotHaveSimpleName("JdbcSource")
            .and()
            .doNotHaveSimpleName("MariaDbSession")
            .and()
            .doNotHaveSimpleName("PriceLoader")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.sql");
}
