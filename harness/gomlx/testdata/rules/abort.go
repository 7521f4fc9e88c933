package snippet

//SNIPPET
