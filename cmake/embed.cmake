# Writes the files of the report's page into one C++ source: cmake -D folder=... -D out=... -P embed.cmake
include(${CMAKE_CURRENT_LIST_DIR}/page_files.cmake)

function(literal variable)
  set(text "")
  foreach(name IN LISTS ARGN)
    file(READ ${folder}/${name} content)
    string(APPEND text "${content}\n")
  endforeach()
  set(${variable} "R\"~~~(${text})~~~\"" PARENT_SCOPE)
endfunction()

literal(html ${page_html})
literal(styles ${page_styles})
literal(scripts ${page_scripts})
file(WRITE ${out} "#include \"report/page_parts.hpp\"

namespace salvo::report::page_parts {

const std::string_view html = ${html};
const std::string_view styles = ${styles};
const std::string_view scripts = ${scripts};

}  // namespace salvo::report::page_parts
")
